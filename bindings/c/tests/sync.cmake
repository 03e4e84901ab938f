# Keeps a copy with PROGRAM in FOLDER. The first run must print the file OUTPUT, and a second run must find no changes. Runs with another
# secret, with a damaged state or without a writable copy must fail and leave the copy as it is.
cmake_policy(VERSION 3.21)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(secret "a secret of the tests")

# Runs the program with the variable SYNC_SECRET.
macro(run value)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env "SYNC_SECRET=${value}" ${PROGRAM} WORKING_DIRECTORY ${FOLDER}
    OUTPUT_VARIABLE printed ERROR_VARIABLE log RESULT_VARIABLE result)
endmacro()
# A failed run must print an error that matches `problem`, exit with 1 and leave the copy as it is.
function(fails problem value)
  file(SHA256 ${FOLDER}/copy.tsv before)
  run("${value}")
  file(SHA256 ${FOLDER}/copy.tsv after)
  if(NOT result EQUAL 1 OR NOT log MATCHES "${problem}" OR NOT before STREQUAL after)
    message(FATAL_ERROR "the run must fail with ${problem}: ${result}, ${printed}${log}")
  endif()
endfunction()

run("${secret}")
file(READ ${OUTPUT} expected)
if(NOT result EQUAL 0 OR log OR NOT printed STREQUAL expected)
  message(FATAL_ERROR "the first run failed: ${result}, ${printed}${log}")
endif()
# The sandbox's date is 2025-11-20, whose number of steps is known from the other tests.
file(STRINGS ${FOLDER}/copy.tsv days REGEX "^daily\t2025-11-[0-9][0-9]\t2025-11-[0-9][0-9]\t\\[{.*}\\]$")
list(LENGTH days count)
list(FILTER days INCLUDE REGEX "^daily\t2025-11-20\t2025-11-20\t.*\"steps\":1267\\.0[,}]")
list(LENGTH days today)
if(NOT count EQUAL 20 OR NOT today EQUAL 1)
  message(FATAL_ERROR "the copy has ${count} days")
endif()
execute_process(COMMAND find ${FOLDER} -type f ! -perm 600 OUTPUT_VARIABLE readable COMMAND_ERROR_IS_FATAL ANY)
file(GLOB left RELATIVE ${FOLDER} ${FOLDER}/*)
if(readable OR NOT left STREQUAL "copy.tsv")
  message(FATAL_ERROR "no other files may be left, and no other user may read them: ${left}, ${readable}")
endif()

# The days 2025-11-20 and 2025-11-21 are not over. The look-back has the 7 days before them.
run("${secret}")
if(NOT result EQUAL 0 OR log OR NOT printed STREQUAL "9 of 18 days, 0 changes\n18 of 18 days, 0 changes\n")
  message(FATAL_ERROR "the second run failed: ${result}, ${printed}${log}")
endif()
fails("start again without a state" "another secret of the tests")
file(MAKE_DIRECTORY ${FOLDER}/copy.new)
fails("." "${secret}")
file(REMOVE_RECURSE ${FOLDER}/copy.new)
file(WRITE ${FOLDER}/copy.tsv "6 0\nvwsync\n")
fails("state is damaged" "${secret}")
# A copy without its number of records, as a cut at the end of a line leaves it.
file(WRITE ${FOLDER}/copy.tsv "6 1\nvwsync\n")
fails("copy.tsv is damaged" "${secret}")
