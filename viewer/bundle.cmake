# Copies the page's sources to a working folder, installs the packages of package-lock.json there, and bundles. When packages cannot be
# had, says so and leaves no template: the build goes on, and tries again next time.
file(GLOB files ${source}/*.json ${source}/*.html ${source}/*.css ${source}/*.mjs)
file(COPY ${files} DESTINATION ${work})
file(REMOVE_RECURSE ${work}/src ${work}/test)
file(COPY ${source}/src ${source}/test DESTINATION ${work})

file(SHA256 ${source}/package-lock.json lock)
set(installed ${work}/node_modules/.filum-${lock})
if(NOT EXISTS ${installed})
  execute_process(COMMAND ${npm} ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1 --loglevel=error
    WORKING_DIRECTORY ${work} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    file(REMOVE ${output})
    message(WARNING "npm could not install the packages of the report page; filum works without it, but cannot make report.html.")
    return()
  endif()
  file(TOUCH ${installed})
endif()
execute_process(COMMAND ${node} bundle.mjs ${output} WORKING_DIRECTORY ${work} COMMAND_ERROR_IS_FATAL ANY)
