# Installs what find_package(filum) needs: the exported targets, the package file and our own Find modules.
include(CMakePackageConfigHelpers)

set(destination ${CMAKE_INSTALL_LIBDIR}/cmake/filum)
get_property(FILUM_DEPENDENCIES GLOBAL PROPERTY FILUM_DEPENDENCIES)
list(REMOVE_DUPLICATES FILUM_DEPENDENCIES)
list(JOIN FILUM_DEPENDENCIES "\n" FILUM_DEPENDENCIES)
get_property(FILUM_LAYERS GLOBAL PROPERTY FILUM_LAYERS)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/filumConfig.cmake.in ${PROJECT_BINARY_DIR}/filumConfig.cmake
  INSTALL_DESTINATION ${destination} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/filumConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(EXPORT filum NAMESPACE filum:: FILE filumTargets.cmake DESTINATION ${destination})
file(GLOB find_modules ${PROJECT_SOURCE_DIR}/cmake/Find*.cmake)
install(FILES ${PROJECT_BINARY_DIR}/filumConfig.cmake ${PROJECT_BINARY_DIR}/filumConfigVersion.cmake ${find_modules}
  DESTINATION ${destination})
