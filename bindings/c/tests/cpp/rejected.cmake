# Checks that a compiler (COMPILER) accepts case 0 of a file (SOURCE), and rejects the others and C++14.
cmake_policy(VERSION 3.21)
foreach(case IN ITEMS 0 1 2 3 4 5 6 14)
  set(standard 17)
  if(case EQUAL 14)
    set(standard 14)
  endif()
  execute_process(
    COMMAND ${COMPILER} -std=c++${standard} -fsyntax-only -DCASE=${case} -I${INCLUDE} ${SOURCE}
    ERROR_VARIABLE log RESULT_VARIABLE result)
  if(case EQUAL 0 AND NOT result EQUAL 0)
    message(FATAL_ERROR "the correct use is rejected: ${log}")
  elseif(case GREATER 0 AND result EQUAL 0)
    message(FATAL_ERROR "case ${case} compiles")
  elseif(case EQUAL 14 AND NOT log MATCHES "needs C\\+\\+17")
    message(FATAL_ERROR "C++14 is rejected for another reason: ${log}")
  endif()
endforeach()
