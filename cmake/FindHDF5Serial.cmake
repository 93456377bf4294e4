# The C library of HDF5 as the target HDF5Serial::HDF5Serial; CMake's own module would need the language C.
find_path(HDF5Serial_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5Serial_LIBRARY NAMES hdf5_serial hdf5)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HDF5Serial REQUIRED_VARS HDF5Serial_LIBRARY HDF5Serial_INCLUDE_DIR)
if(HDF5Serial_FOUND AND NOT TARGET HDF5Serial::HDF5Serial)
  add_library(HDF5Serial::HDF5Serial UNKNOWN IMPORTED)
  set_target_properties(HDF5Serial::HDF5Serial PROPERTIES IMPORTED_LOCATION ${HDF5Serial_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${HDF5Serial_INCLUDE_DIR})
endif()
mark_as_advanced(HDF5Serial_INCLUDE_DIR HDF5Serial_LIBRARY)
