# Writes a function that calls each one that the headers declare with NULL for every pointer and with the text and length that it is given
# (OUT). Whatever can fail refuses that, but for what is said here.
include(${CMAKE_CURRENT_LIST_DIR}/declared.cmake)
foreach(function IN LISTS declared)
  vitalwire_read("${function}")
  set(arguments "")
  foreach(argument IN LISTS given)
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
    # No error, and nothing that is to end.
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
