# Precompiled headers: half of the time to compile a small source goes into Eigen, GoogleTest and the standard library. There is one for
# each set of flags, shared by all targets that are compiled with these flags. Off in the presets that check whether every file includes
# what it needs.
option(FILUM_PRECOMPILE "Precompile the headers that nearly every source includes" ${PROJECT_IS_TOP_LEVEL})

set(FILUM_PRECOMPILED_HEADERS
  <Eigen/Core> <Eigen/Geometry> <algorithm> <array> <cmath> <filesystem> <fstream> <functional> <map> <memory> <optional> <set> <sstream> <stdexcept>
  <string> <vector>)

# The target that carries the header of one set of flags. Programs are compiled as position-independent executables, libraries are not,
# so that the carrier has to be of the same kind as those that share it.
function(filum_add_precompiled name kind options)
  set(source ${PROJECT_BINARY_DIR}/precompiled/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "int main() { return 0; }\n")
  if(kind STREQUAL "program")
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
  else()
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
  endif()
  target_link_libraries(${name} PRIVATE filum_eigen ${options})
  target_precompile_headers(${name} PRIVATE ${FILUM_PRECOMPILED_HEADERS} ${ARGN})
endfunction()

# filum_code(<target> <kind>): flags and precompiled header of our own code. Kinds: numerics (-O3: what runs in a time step), tools (-O2:
# everything around it), tests (-O1: compiled once, run once).
function(filum_code target kind)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:filum_${kind}_options>)
  # Together, sources of a layer compile faster: most of the time goes into headers and instances of templates, which they share.
  if(FILUM_UNITY)
    set(batch_numerics 40)
    set(batch_tools 60)
    set(batch_tests 24)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch_${kind}})
  endif()
  if(NOT FILUM_PRECOMPILE)
    return()
  endif()
  set(carrier filum_${kind}_precompiled)
  if(NOT TARGET ${carrier})
    if(kind STREQUAL "tests")
      find_package(GTest REQUIRED GLOBAL)
      filum_add_precompiled(${carrier} program "filum_tests_options;GTest::gmock" <gmock/gmock.h> <gtest/gtest.h>)
    elseif(kind STREQUAL "tools")
      find_package(nlohmann_json 3.11 REQUIRED GLOBAL)
      filum_add_precompiled(${carrier} library "filum_tools_options;nlohmann_json::nlohmann_json" <nlohmann/json.hpp>)
    else()
      filum_add_precompiled(${carrier} library filum_numerics_options)
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${carrier})
  if(kind STREQUAL "tests")  # GCC only takes a header that was compiled with the same options
    target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:GTest::gtest,INTERFACE_COMPILE_OPTIONS>)
  endif()
endfunction()
