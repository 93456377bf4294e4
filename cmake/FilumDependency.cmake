# filum_dependency(<find_package arguments>): finds a package that a layer needs, and tells find_package(filum) to look for it as
# well when that layer is asked for. Its targets are global, because whoever links a layer links them too.
# A Find<package>.cmake in this folder is installed beside the package file.
macro(filum_dependency)
  find_package(${ARGN} REQUIRED GLOBAL)
  string(REPLACE ";" " " filum_dependency_line "find_dependency(${ARGN})")
  set_property(GLOBAL APPEND PROPERTY FILUM_DEPENDENCIES_${FILUM_CURRENT_LAYER} "${filum_dependency_line}")
endmacro()
