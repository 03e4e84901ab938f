# Fails if a source of the C++ runner in FOLDER calls a C function.
file(GLOB_RECURSE sources ${FOLDER}/*.cpp ${FOLDER}/*.hpp)
if(NOT sources)
  message(FATAL_ERROR "no sources in ${FOLDER}")
endif()
foreach(source IN LISTS sources)
  file(STRINGS ${source} lines REGEX "vitalwire_[a-z0-9_]+ *\\(")
  # This setting is for tests and has no C++ function.
  list(FILTER lines EXCLUDE REGEX "set_retry_delay_scale")
  if(lines)
    message(FATAL_ERROR "${source} calls a function of C: ${lines}")
  endif()
endforeach()
