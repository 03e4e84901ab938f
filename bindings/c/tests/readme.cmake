# Checks that the README shows the example unchanged.
file(READ ${README} readme)
file(READ ${EXAMPLE} example)
string(FIND "${readme}" "```${FENCE}\n${example}```" place)
if(place EQUAL -1)
  message(FATAL_ERROR "${EXAMPLE} is not in ${README} word by word")
endif()
