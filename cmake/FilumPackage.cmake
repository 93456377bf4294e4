# `cpack` in a build folder makes one Debian package of the program, the library with its headers, the Python package, and the completion for bash. The preset
# `package` builds for any machine; a package of a build with FILUM_NATIVE runs on machines like this one only.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME filum)
set(CPACK_PACKAGE_VENDOR filum)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The filum developers")
# What the program needs is read off its libraries; what those need who link the library is what find_package(filum) looks for.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-numpy, libeigen3-dev, libsuitesparse-dev, libmetis-dev, libtomlplusplus-dev, libhdf5-dev, libdeflate-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "openmpi-bin, python3-matplotlib")
include(CPack)
