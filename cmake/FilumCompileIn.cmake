# filum_compile_in(<target> <layer> <folder> <type> <header>): the TOML files of a folder become part of a library, as a list of
# filum::<layer>::<type> {name, text} that builtin_<folder>() returns; they are installed as well, to be copied from.
function(filum_compile_in target layer folder type header)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.toml)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(entries "")
  foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    file(READ ${file} text)
    string(APPEND entries "      {\"${name}\", R\"toml(${text})toml\"},\n")
  endforeach()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/builtin_${folder}.cpp)
  file(CONFIGURE OUTPUT ${generated} @ONLY CONTENT "// Made from ${folder}/*.toml by cmake/FilumCompileIn.cmake.
#include <filum/${layer}/${header}>

namespace filum::${layer} {

const std::vector<${type}>& builtin_${folder}() {
  static const std::vector<${type}> all{
@entries@  };
  return all;
}

}  // namespace filum::${layer}
")
  target_sources(${target} PRIVATE ${generated})
  install(FILES ${files} DESTINATION ${CMAKE_INSTALL_DATADIR}/filum/${folder})
endfunction()
