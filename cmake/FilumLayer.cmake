# One library per layer, with an include path that shows its own headers and those of the layers below, nothing else.

# Eigen aligns by the instruction set of each translation unit: 16 bytes for SSE, 32 for AVX, 64 for AVX-512. A library
# built for the machine at hand and a program built for any machine would then disagree about the layout of
# every struct that holds a Vector4d, and about how memory is freed. Both limits are fixed here instead.
function(filum_add_eigen)
  add_library(filum_eigen INTERFACE)
  add_library(filum::eigen ALIAS filum_eigen)
  set_target_properties(filum_eigen PROPERTIES EXPORT_NAME eigen)
  target_link_libraries(filum_eigen INTERFACE Eigen3::Eigen)
  target_compile_features(filum_eigen INTERFACE cxx_std_20)
  target_compile_definitions(filum_eigen INTERFACE EIGEN_MAX_ALIGN_BYTES=32 EIGEN_MAX_STATIC_ALIGN_BYTES=32)
  install(TARGETS filum_eigen EXPORT filum-eigen)
endfunction()

# filum_add_layer(<name> <numerics|tools> [DEPENDS <layer>...]): the target filum::<name>, if the layer has content. Sources make it a
# static library; headers alone make it an interface. What is special to a layer stands in src/<name>/CMakeLists.txt.
# A dependency without content is replaced by its own dependencies.
function(filum_add_layer name kind)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "DEPENDS")
  set(below "")
  foreach(layer IN LISTS arg_DEPENDS)
    get_property(links GLOBAL PROPERTY FILUM_LINKS_${layer})
    list(APPEND below ${links})
  endforeach()
  list(REMOVE_DUPLICATES below)

  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/filum/${name}/*.hpp)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  if(NOT headers AND NOT sources)
    set_property(GLOBAL PROPERTY FILUM_LINKS_${name} ${below})
    return()
  endif()
  set_property(GLOBAL PROPERTY FILUM_LINKS_${name} ${name})
  set_property(GLOBAL APPEND PROPERTY FILUM_LAYERS ${name})
  filum_record_visible_layers(${name} ${below})

  set(target filum_${name})
  if(sources)
    set(reach PUBLIC)
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/${name})
    filum_code(${target} ${kind})
  else()
    set(reach INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(filum::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(${target} ${reach} filum_eigen)
  foreach(layer IN LISTS below)
    target_link_libraries(${target} ${reach} filum_${layer})
  endforeach()

  filum_stage_headers(${name} staged)
  target_include_directories(${target} ${reach}
    $<BUILD_INTERFACE:${staged}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

  install(TARGETS ${target} EXPORT filum-${name} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/filum/${name} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/filum
    FILES_MATCHING PATTERN "*.hpp")

  if(FILUM_CHECK_HEADERS)
    filum_check_headers(${name} ${headers})
  endif()
  set(FILUM_CURRENT_LAYER ${name})
  if(EXISTS ${PROJECT_SOURCE_DIR}/src/${name}/CMakeLists.txt)
    add_subdirectory(${PROJECT_SOURCE_DIR}/src/${name} ${PROJECT_BINARY_DIR}/src/${name})
  endif()
endfunction()

# An include path with one layer in it: a link to include/filum/<name> and nothing beside it.
function(filum_stage_headers name result)
  set(folder ${PROJECT_BINARY_DIR}/layers/${name})
  file(MAKE_DIRECTORY ${folder}/filum)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/filum/${name} ${folder}/filum/${name} SYMBOLIC)
  set(${result} ${folder} PARENT_SCOPE)
endfunction()

# FILUM_SEES_<name>: the layer itself and everything below it.
function(filum_record_visible_layers name)
  set(visible ${name})
  foreach(layer IN LISTS ARGN)
    get_property(further GLOBAL PROPERTY FILUM_SEES_${layer})
    list(APPEND visible ${further})
  endforeach()
  list(REMOVE_DUPLICATES visible)
  set_property(GLOBAL PROPERTY FILUM_SEES_${name} ${visible})
endfunction()

# Compiles every header as if it were a program, so that each includes what it needs and none looks upwards.
function(filum_check_headers name)
  set(probes "")
  foreach(header IN LISTS ARGN)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/include OUTPUT_VARIABLE included)
    string(MAKE_C_IDENTIFIER ${included} stem)
    set(probe ${PROJECT_BINARY_DIR}/headers/${stem}.cpp)
    file(CONFIGURE OUTPUT ${probe} CONTENT "#include <${included}>\n#include <${included}>\n")
    list(APPEND probes ${probe})
  endforeach()
  if(probes)
    add_library(filum_${name}_headers OBJECT ${probes})
    target_link_libraries(filum_${name}_headers PRIVATE filum_${name} filum_options)
    target_compile_options(filum_${name}_headers PRIVATE -O0)
  endif()
endfunction()
