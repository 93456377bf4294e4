# Precompiled headers: half of the time to compile a small source goes into Eigen, GoogleTest and the standard library. Off in the
# presets that check whether every file includes what it needs.
option(FILUM_PRECOMPILE "Precompile the headers that nearly every source includes" ${PROJECT_IS_TOP_LEVEL})

# filum_precompile(<target> [TESTS]): for targets of more than two sources.
function(filum_precompile target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TESTS" "" "")
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  if(NOT FILUM_PRECOMPILE OR count LESS 3)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE
    <Eigen/Core> <algorithm> <array> <cmath> <filesystem> <fstream> <functional> <map> <memory> <optional> <set> <sstream>
    <stdexcept> <string> <vector>)
  if(arg_TESTS)
    target_precompile_headers(${target} PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
  endif()
  # GCC 12 takes "text" + string for a copy beyond all bounds, and forgets to hide that when the string comes precompiled.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
  # ccache does not trust precompiled headers unless it is told that none of them asks for the time.
  get_target_property(launcher ${target} CXX_COMPILER_LAUNCHER)
  if(launcher MATCHES "ccache$")
    set_target_properties(${target} PROPERTIES
      CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${launcher}")
  endif()
endfunction()
