# Build options, and the target filum_options: warnings and code generation of our own code, never of our users'.
include(CheckCXXCompilerFlag)

option(FILUM_NATIVE "Optimise for the machine that builds" OFF)
option(FILUM_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(FILUM_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(FILUM_BENCHMARKS "Build the benchmarks" OFF)
option(FILUM_WERROR "Treat warnings as errors" OFF)
option(FILUM_CHECK_HEADERS "Compile every public header on its own" OFF)
option(FILUM_UNITY "Compile the sources of a layer in batches, where that is faster" OFF)
set(FILUM_MPI AUTO CACHE STRING "Studies on many machines by MPI: AUTO (if it is found), ON or OFF")
set_property(CACHE FILUM_MPI PROPERTY STRINGS AUTO ON OFF)
set(FILUM_PYTHON AUTO CACHE STRING "The Python package: AUTO (if NumPy, Python's headers and pybind11 are found), ON or OFF")
set_property(CACHE FILUM_PYTHON PROPERTY STRINGS AUTO ON OFF)
set(FILUM_SANITIZE "" CACHE STRING "Comma separated sanitizers, such as address,undefined")

if(PROJECT_IS_TOP_LEVEL)
  get_property(several_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT CMAKE_BUILD_TYPE AND NOT several_configurations)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(FILUM_CCACHE ccache)
  if(FILUM_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    # It trusts precompiled headers when it is told that none of them asks for the time, and takes the compiler's word for what a file
    # includes, so that a first build does not run the preprocessor twice.
    set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=true ${FILUM_CCACHE})
  endif()
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_library(filum_options INTERFACE)
# How much work the optimiser is given: numerics gets all of it; the rest takes half the time to compile.
add_library(filum_numerics_options INTERFACE)
add_library(filum_tools_options INTERFACE)
add_library(filum_tests_options INTERFACE)
foreach(kind IN ITEMS numerics tools tests)
  target_link_libraries(filum_${kind}_options INTERFACE filum_options)
endforeach()
target_compile_options(filum_tools_options INTERFACE $<$<CONFIG:Release>:-O2>)
target_compile_options(filum_tests_options INTERFACE $<$<CONFIG:Release>:-O1>)
target_compile_options(filum_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)

# GCC 12 takes Eigen's vector loads in branches that are never entered for 3-vectors for accesses out of bounds, and "text" + string for
# a copy that overlaps itself or ends nowhere; in its own headers for AVX-512 it misses the values of vectors that are meant to have none.
# Clang looks for the same mistakes without these alarms.
target_compile_options(filum_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
  -Wno-stringop-overread -Wno-uninitialized -Wno-maybe-uninitialized>)

# GCC looks for garbage whenever its memory has doubled, from 128 MB on: beginning later saves 6 % of the time to compile.
target_compile_options(filum_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)

# Nobody reads errno or floating point traps, and both forbid vectorisation. Never -ffast-math: NaN must stay NaN, and
# compensated sums must stay as written.
target_compile_options(filum_options INTERFACE
  $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-fno-math-errno -fno-trapping-math>)

if(FILUM_WERROR)
  target_compile_options(filum_options INTERFACE -Werror)
endif()
if(FILUM_NATIVE)
  check_cxx_compiler_flag(-march=native FILUM_HAS_MARCH_NATIVE)
  if(FILUM_HAS_MARCH_NATIVE)
    target_compile_options(filum_options INTERFACE -march=native)
  else()
    message(WARNING "FILUM_NATIVE is on, but the compiler does not know -march=native: building for a generic machine.")
  endif()
endif()
if(FILUM_SANITIZE)
  target_compile_options(filum_options INTERFACE
    -fsanitize=${FILUM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(filum_options INTERFACE -fsanitize=${FILUM_SANITIZE})
endif()
