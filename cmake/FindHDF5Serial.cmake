# The C library of HDF5 as the target HDF5Serial::HDF5Serial; CMake's own module would need the language C. A program with the property
# HDF5SERIAL_STATIC gets the static library, if there is one: the shared library of Debian loads curl and some thirty libraries more for
# files in S3, of which the static one brings nothing unless it is used. Its objects cannot become part of a shared library.
find_path(HDF5Serial_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5Serial_LIBRARY NAMES hdf5_serial hdf5)
set(HDF5Serial_static "")
foreach(name IN ITEMS hdf5_serial sz aec z)
  find_library(HDF5Serial_STATIC_${name} NAMES lib${name}.a)
  mark_as_advanced(HDF5Serial_STATIC_${name})
  list(APPEND HDF5Serial_static ${HDF5Serial_STATIC_${name}})
endforeach()
if(HDF5Serial_static MATCHES "NOTFOUND")
  set(HDF5Serial_static ${HDF5Serial_LIBRARY})
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HDF5Serial REQUIRED_VARS HDF5Serial_LIBRARY HDF5Serial_INCLUDE_DIR)
if(HDF5Serial_FOUND AND NOT TARGET HDF5Serial::HDF5Serial)
  list(JOIN HDF5Serial_static "$<SEMICOLON>" HDF5Serial_static)
  add_library(HDF5Serial::HDF5Serial INTERFACE IMPORTED)
  set_target_properties(HDF5Serial::HDF5Serial PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${HDF5Serial_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES "$<IF:$<BOOL:$<TARGET_PROPERTY:HDF5SERIAL_STATIC>>,${HDF5Serial_static},${HDF5Serial_LIBRARY}>")
endif()
mark_as_advanced(HDF5Serial_INCLUDE_DIR HDF5Serial_LIBRARY)
