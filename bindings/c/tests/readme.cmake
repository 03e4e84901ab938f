# The README shows the example as it is compiled.
file(READ ${README} readme)
file(READ ${EXAMPLE} example)
string(FIND "${readme}" "```c\n${example}```" place)
if(place EQUAL -1)
  message(FATAL_ERROR "the C example in ${README} is not ${EXAMPLE}")
endif()
