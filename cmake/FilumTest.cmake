# Test programs: one per layer, and one more for its long tests, so that linking stays cheap.

# filum_add_layer_tests(<layer> [USES <layer>...] [LIBS <target>...]): tests/<layer>/*_test.cpp with the label <layer>;
# those called *_long_test.cpp also get the label "long". Other sources in that folder are helpers of both. USES names
# layers that the tests, not the layer, need; one without content is left out.
function(filum_add_layer_tests layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "USES;LIBS")
  set(folder ${PROJECT_SOURCE_DIR}/tests/${layer})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  set(short ${sources})
  list(FILTER short INCLUDE REGEX "_test\\.cpp$")
  set(long ${short})
  list(FILTER short EXCLUDE REGEX "_long_test\\.cpp$")
  list(FILTER long INCLUDE REGEX "_long_test\\.cpp$")
  set(helpers ${sources})
  list(FILTER helpers EXCLUDE REGEX "_test\\.cpp$")

  set(libraries ${arg_LIBS})
  foreach(used IN LISTS layer arg_USES)
    if(TARGET filum_${used})
      list(APPEND libraries filum_${used})
    endif()
  endforeach()
  if(short)
    filum_add_test_program(filum_${layer}_tests SOURCES ${short} ${helpers} LIBS ${libraries} LABELS ${layer})
  endif()
  if(long)
    filum_add_test_program(filum_${layer}_long_tests SOURCES ${long} ${helpers} LIBS ${libraries} LABELS ${layer} long)
  endif()
endfunction()

# filum_add_test_program(<target> SOURCES <file>... [LIBS <target>...] [LABELS <label>...]): a program of GoogleTest
# tests, each of them one entry of ctest under its own name. ctest asks the program for its tests when it starts.
function(filum_add_test_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBS;LABELS")
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_LIBS} filum_eigen filum_test_support filum_options)
  # The libraries under test keep their optimisation; the tests' own code instantiates every group and is compiled faster.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  filum_precompile(${target} TESTS)
  set(discovery ${CMAKE_CURRENT_BINARY_DIR}/${target}_ctest.cmake)
  file(GENERATE OUTPUT ${discovery} CONTENT "include(\"${PROJECT_SOURCE_DIR}/cmake/discover_tests.cmake\")
filum_discover_tests(\"$<TARGET_FILE:${target}>\" \"${PROJECT_SOURCE_DIR}\" \"${arg_LABELS}\")\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${discovery})
endfunction()
