# Requests tokens from PROGRAM: with a session, and with other methods, paths and credentials.
cmake_policy(VERSION 3.21)
# Sends a request. The response must have this status, type and body, and must not be stored.
function(responds status type body method path authorization)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env REQUEST_METHOD=${method} PATH_INFO=${path} "HTTP_AUTHORIZATION=${authorization}" ${ARGN}
    ${PROGRAM} OUTPUT_VARIABLE response ERROR_VARIABLE log RESULT_VARIABLE result)
  set(head "^Status: ${status}\r?\nContent-Type: ${type}\r?\nCache-Control: no-store\r?\n\r?\n")
  # The program prints errors of the library, and nothing else.
  if(NOT result EQUAL 0 OR NOT response MATCHES "${head}${body}$" OR (log AND NOT status EQUAL 502) OR (status EQUAL 502 AND NOT log))
    message(FATAL_ERROR "${status} was expected for ${method} ${path} ${authorization}: ${result}, ${response}${log}")
  endif()
endfunction()
set(session "Bearer a-session-of-person-1")
responds(200 application/json "{\"access_token\":\"[^\"]+\",\"expires_in\":3600}\n" POST /token "${session}")
foreach(path IN ITEMS "" / /tokens /token/ /token/x /a/token)
  responds(404 text/plain "" POST "${path}" "${session}")
endforeach()
foreach(method IN ITEMS GET HEAD PUT post)
  responds(405 text/plain "" ${method} /token "${session}")
endforeach()
foreach(authorization IN ITEMS "" Bearer "Bearer " a-session-of-person-1 "Basic a-session-of-person-1" "Bearera-session-of-person-1"
    "Bearer a-session-of-person-2" "${session}1" "Token ${session}")
  responds(401 text/plain "" POST /token "${authorization}")
endforeach()
# Nothing listens on this port; a key that is too short; no key.
responds(502 text/plain "" POST /token "${session}" VITALWIRE_BASE_URL=http://127.0.0.1:1 VITALWIRE_MAX_RETRIES=0)
responds(502 text/plain "" POST /token "${session}" APPLICATION_KEY=short)
responds(502 text/plain "" POST /token "${session}" --unset=APPLICATION_KEY)
