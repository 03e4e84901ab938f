# Generates a function (OUT) that calls each declared function with NULL for every pointer, and with the given text and length. Functions
# that can fail must reject these arguments, with the exceptions below.
include(${CMAKE_CURRENT_LIST_DIR}/declared.cmake)
foreach(function IN LISTS declared)
  vitalwire_read("${function}")
  set(arguments "")
  foreach(argument IN LISTS argument_types)
    if(argument STREQUAL "vitalwire_str")
      list(APPEND arguments "text")
    elseif(argument STREQUAL "size_t")
      list(APPEND arguments "length")
    else()
      list(APPEND arguments "(${argument}){0}")
    endif()
  endforeach()
  list(JOIN arguments ", " arguments)
  set(call "${name}(${arguments})")
  if(type STREQUAL "vitalwire_code" AND name MATCHES "^vitalwire_(error_code|shutdown)$")
    # These functions succeed and return nothing to free.
    string(APPEND calls "  CHECK(${call} == VITALWIRE_OK);\n")
  elseif(type STREQUAL "vitalwire_code")
    string(APPEND calls "  CHECK(${call} != VITALWIRE_OK);\n")
  elseif(type MATCHES "^(vitalwire_[a-z_]+) \\*$")
    string(APPEND calls "  ${CMAKE_MATCH_1}_free(${call});\n")
  else()
    string(APPEND calls "  ${call};\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#include \"smoke.h\"

void call_each(vitalwire_str text, size_t length) {
@calls@}
" @ONLY)
