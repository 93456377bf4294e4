# filum_find_python(<executable>): the interpreter that the package is built for, as FILUM_PYTHON_EXECUTABLE, with its headers and the
# ending of its modules. It must have NumPy and headers of its own: `python3` on PATH may be another one than Debian's, which has them.
function(filum_find_python)
  set(probe "import numpy, os, sysconfig
include = sysconfig.get_path('include')
assert os.path.exists(os.path.join(include, 'Python.h'))
print(include, sysconfig.get_config_var('EXT_SUFFIX'), '%s %s' % (sysconfig.get_python_version(), numpy.__version__), sep=';')")
  foreach(candidate IN LISTS FILUM_PYTHON_EXECUTABLE ITEMS /usr/bin/python3 python3)
    execute_process(COMMAND ${candidate} -c "${probe}" OUTPUT_VARIABLE found RESULT_VARIABLE status ERROR_QUIET
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(status EQUAL 0)
      list(GET found 0 include)
      list(GET found 1 suffix)
      list(GET found 2 versions)
      set(FILUM_PYTHON_EXECUTABLE ${candidate} CACHE FILEPATH "Interpreter with NumPy and headers" FORCE)
      set(FILUM_PYTHON_INCLUDE ${include} PARENT_SCOPE)
      set(FILUM_PYTHON_SUFFIX ${suffix} PARENT_SCOPE)
      string(REPLACE " " ", NumPy " versions "${versions}")
      set(FILUM_PYTHON_VERSIONS "${candidate} (${versions})" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
