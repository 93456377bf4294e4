# Installs what find_package(filum) needs: the exported targets of every layer, the package file and our own Find modules.
include(CMakePackageConfigHelpers)

set(destination ${CMAKE_INSTALL_LIBDIR}/cmake/filum)
get_property(FILUM_LAYERS GLOBAL PROPERTY FILUM_LAYERS)

# For every layer: what it sees, and a macro that finds its packages.
set(FILUM_LAYER_FACTS "")
foreach(layer IN ITEMS eigen LISTS FILUM_LAYERS)
  get_property(sees GLOBAL PROPERTY FILUM_SEES_${layer})
  get_property(finds GLOBAL PROPERTY FILUM_DEPENDENCIES_${layer})
  list(REMOVE_DUPLICATES finds)
  list(JOIN sees " " sees)
  list(JOIN finds "\n  " finds)
  string(APPEND FILUM_LAYER_FACTS "set(filum_sees_${layer} ${sees})\nmacro(filum_find_for_${layer})\n  ${finds}\nendmacro()\n")
  install(EXPORT filum-${layer} NAMESPACE filum:: FILE filum-${layer}.cmake DESTINATION ${destination})
endforeach()
install(EXPORT filum-all NAMESPACE filum:: FILE filum-all.cmake DESTINATION ${destination})
list(JOIN FILUM_LAYERS " " FILUM_LAYERS)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/filumConfig.cmake.in ${PROJECT_BINARY_DIR}/filumConfig.cmake
  INSTALL_DESTINATION ${destination} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/filumConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(GLOB find_modules ${PROJECT_SOURCE_DIR}/cmake/Find*.cmake)
install(FILES ${PROJECT_BINARY_DIR}/filumConfig.cmake ${PROJECT_BINARY_DIR}/filumConfigVersion.cmake ${find_modules}
  DESTINATION ${destination})
