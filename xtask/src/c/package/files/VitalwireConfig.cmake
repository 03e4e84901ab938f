# Vitalwire::vitalwire is the shared library, Vitalwire::vitalwire_static the static one with the system libraries that it needs.

if(TARGET Vitalwire::vitalwire)
  return()
endif()

get_filename_component(vitalwire_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

add_library(Vitalwire::vitalwire SHARED IMPORTED)
set_target_properties(Vitalwire::vitalwire PROPERTIES
  INTERFACE_COMPILE_DEFINITIONS VITALWIRE_SHARED
  INTERFACE_INCLUDE_DIRECTORIES "${vitalwire_prefix}/include"
@SHARED_PROPERTIES@)

add_library(Vitalwire::vitalwire_static STATIC IMPORTED)
set_target_properties(Vitalwire::vitalwire_static PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${vitalwire_prefix}/include"
  IMPORTED_LOCATION "${vitalwire_prefix}/lib/@STATIC@"
  INTERFACE_LINK_LIBRARIES "@NATIVE_LIST@")

unset(vitalwire_prefix)
