# muParser as the target MuParser::MuParser.
find_path(MuParser_INCLUDE_DIR muParser.h)
find_library(MuParser_LIBRARY muparser)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MuParser REQUIRED_VARS MuParser_LIBRARY MuParser_INCLUDE_DIR)
if(MuParser_FOUND AND NOT TARGET MuParser::MuParser)
  add_library(MuParser::MuParser UNKNOWN IMPORTED)
  set_target_properties(MuParser::MuParser PROPERTIES IMPORTED_LOCATION ${MuParser_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${MuParser_INCLUDE_DIR})
endif()
mark_as_advanced(MuParser_INCLUDE_DIR MuParser_LIBRARY)
