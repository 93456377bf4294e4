# Installs filum into a fresh prefix, or takes the PREFIX it is given, then configures, builds and runs the consumer, without
# -march=native.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK_DIR})
set(build ${WORK_DIR}/build)
set(sanitize_flags "")
if(SANITIZE)
  set(sanitize_flags -DCMAKE_EXE_LINKER_FLAGS=-fsanitize=${SANITIZE} -DCMAKE_CXX_FLAGS=-fsanitize=${SANITIZE})
endif()

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("${output}")
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "exit code ${status} from: ${command}")
  endif()
endfunction()

if(NOT PREFIX)
  set(PREFIX ${WORK_DIR}/prefix)
  run(${CMAKE_COMMAND} --install ${FILUM_BINARY_DIR} --config ${CONFIG} --prefix ${PREFIX})
endif()
run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${build} -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${PREFIX} ${sanitize_flags})
run(${CMAKE_COMMAND} --build ${build} --config Release)
run(${build}/quarter_turn)
run(${build}/swing)
