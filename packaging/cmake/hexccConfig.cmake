# What find_package(hexcc) reads: see Hexcc.cmake beside it for hexcc_add_library.
get_filename_component(_hexcc_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT HEXCC AND EXISTS "${_hexcc_prefix}/bin/hexcc")
  set(HEXCC "${_hexcc_prefix}/bin/hexcc" CACHE FILEPATH "the stencil compiler")
endif()
unset(_hexcc_prefix)
include("${CMAKE_CURRENT_LIST_DIR}/Hexcc.cmake")
