# Test programs: one per layer, and one more for its long tests. They share one library of all layers, so that linking stays cheap.

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

  if(short)
    filum_add_test_program(filum_${layer}_tests SOURCES ${short} ${helpers} LAYERS ${layer} ${arg_USES} LIBS ${arg_LIBS} LABELS ${layer})
  endif()
  if(long)
    filum_add_test_program(filum_${layer}_long_tests
      SOURCES ${long} ${helpers} LAYERS ${layer} ${arg_USES} LIBS ${arg_LIBS} LABELS ${layer} long)
  endif()
endfunction()

# filum_see_layers(<target> <layer>...): the include path of these layers and those below them, without linking anything.
function(filum_see_layers target)
  target_link_libraries(${target} PRIVATE filum_eigen)
  foreach(layer IN LISTS ARGN)
    get_property(visible GLOBAL PROPERTY FILUM_SEES_${layer})
    foreach(seen IN LISTS visible)
      target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/layers/${seen})
    endforeach()
  endforeach()
endfunction()

# filum_add_test_program(<target> SOURCES <file>... [LAYERS <layer>...] [LIBS <target>...] [LABELS <label>...]): a program of
# GoogleTest tests that sees these layers, each test one entry of ctest under its own name. ctest asks the program for its tests when it
# starts.
function(filum_add_test_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LAYERS;LIBS;LABELS")
  add_executable(${target} ${arg_SOURCES})
  filum_see_layers(${target} ${arg_LAYERS})
  target_link_libraries(${target} PRIVATE ${arg_LIBS} filum_shared filum_test_support)
  filum_code(${target} tests)
  set(discovery ${CMAKE_CURRENT_BINARY_DIR}/${target}_ctest.cmake)
  file(GENERATE OUTPUT ${discovery} CONTENT "include(\"${PROJECT_SOURCE_DIR}/cmake/discover_tests.cmake\")
filum_discover_tests(\"$<TARGET_FILE:${target}>\" \"${PROJECT_SOURCE_DIR}\" \"${arg_LABELS}\")\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${discovery})
endfunction()
