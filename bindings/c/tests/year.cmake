# Interrupts the export of a year (PROGRAM), and continues it in the same folder (FOLDER). The second run must print the file OUTPUT.
cmake_policy(VERSION 3.21)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
# Nothing listens on this port.
execute_process(COMMAND ${CMAKE_COMMAND} -E env VITALWIRE_BASE_URL=http://127.0.0.1:1 VITALWIRE_MAX_RETRIES=0 ${PROGRAM}
  WORKING_DIRECTORY ${FOLDER} OUTPUT_VARIABLE printed ERROR_VARIABLE log RESULT_VARIABLE result)
if(NOT result EQUAL 1 OR NOT log OR NOT EXISTS ${FOLDER}/2025.resume)
  message(FATAL_ERROR "the interrupted run must save a resume token: ${result}, ${printed}${log}")
endif()
execute_process(COMMAND ${PROGRAM} WORKING_DIRECTORY ${FOLDER} OUTPUT_VARIABLE printed ERROR_VARIABLE log RESULT_VARIABLE result)
file(READ ${OUTPUT} expected)
if(NOT result EQUAL 0 OR log OR NOT printed STREQUAL expected OR EXISTS ${FOLDER}/2025.resume)
  message(FATAL_ERROR "the second run must read the rest: ${result}, ${printed}${log}")
endif()
# A row for each day up to the sandbox's date, 2025-11-20, whose number of steps is known from the other tests.
file(STRINGS ${FOLDER}/2025.csv rows)
list(LENGTH rows count)
list(GET rows 0 first)
list(GET rows -1 last)
if(NOT count EQUAL 324 OR NOT first MATCHES "^2025-01-01,[0-9]+,[0-9.]+$" OR NOT last MATCHES "^2025-11-20,1267,")
  message(FATAL_ERROR "${count} rows, from ${first} to ${last}")
endif()
