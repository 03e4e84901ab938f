# Connects a provider with PROGRAM: starts the flow, and returns from it with the right state, with a failure, with a wrong state and without
# a cookie.
cmake_policy(VERSION 3.21)
set(state 00112233445566778899aabbccddeeff)
string(REPEAT 0 32 other)
execute_process(COMMAND ${CMAKE_COMMAND} -E env PATH_INFO=/connect ${PROGRAM}
  OUTPUT_VARIABLE response ERROR_VARIABLE log RESULT_VARIABLE result)
set(cookie "Set-Cookie: state=[0-9a-f]+; Secure; HttpOnly; SameSite=Lax; Max-Age=600")
if(NOT result EQUAL 0 OR log OR NOT response MATCHES "^Status: 303\r?\n${cookie}\r?\nLocation: http://[^\r\n]+\r?\n\r?\n$")
  message(FATAL_ERROR "the flow does not start: ${result}, ${log}")
endif()
string(REGEX REPLACE "^.*state=([0-9a-f]+);.*$" "\\1" sent "${response}")
string(LENGTH "${sent}" length)
if(NOT length EQUAL 32)
  message(FATAL_ERROR "the state has ${length} digits")
endif()

function(returns query cookies status text)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env PATH_INFO=/back "QUERY_STRING=user_id=person-1&provider_slug=polar&${query}"
    "HTTP_COOKIE=${cookies}" ${PROGRAM} OUTPUT_VARIABLE response ERROR_VARIABLE log RESULT_VARIABLE result)
  if(NOT result EQUAL 0 OR log OR NOT response MATCHES "^Status: ${status}\r?\nContent-Type: text/plain\r?\n\r?\n${text}\n$")
    message(FATAL_ERROR "${status} was expected: ${result}, ${response}${log}")
  endif()
endfunction()
returns("state=${state}" "theme=dark; state=${state}; a=b" 200 "polar is connected")
returns("state=${state}&error=denied" "state=${state}" 200 "polar is not connected")
returns("state=${other}" "state=${state}" 400 "[^\n]+")
returns("state=" "theme=dark" 400 "[^\n]+")
