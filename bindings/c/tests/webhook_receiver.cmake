cmake_policy(VERSION 3.21)
# Sends a receiver (PROGRAM) the file BODY with the correct signature, with a wrong signature, and without a signature.
# openssl dgst -sha256 -hmac webhook-key-of-the-receiver < webhook.json
set(genuine 53b7640496ff3b20b0a0c97fef1bd5ae8bd9f5268f096db7604929331b6d5e23)
string(REPEAT 0 64 forged)
foreach(signature IN ITEMS "${genuine}" "${forged}" "")
  set(status 401)
  if(signature STREQUAL "${genuine}")
    set(status 200)
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -E env VITALWIRE_WEBHOOK_KEY=webhook-key-of-the-receiver HTTP_X_BODY_SIGNATURE=${signature} ${PROGRAM}
    INPUT_FILE ${BODY} OUTPUT_VARIABLE response ERROR_VARIABLE log RESULT_VARIABLE result)
  if(NOT result EQUAL 0 OR NOT response MATCHES "^Status: ${status}\r?\n")
    message(FATAL_ERROR "${status} was expected: ${result}, ${response}${log}")
  endif()
  if(status EQUAL 200)
    string(REGEX MATCH "^[0-9a-f]+: sleep\n$" event "${log}")
    string(LENGTH "${log}" length)
    # A line with the content key (64 digits), a colon and the type of the event.
    if(NOT event OR NOT length EQUAL 72)
      message(FATAL_ERROR "the event must be logged: ${log}")
    endif()
  elseif(log)
    message(FATAL_ERROR "a body was read that is not genuine: ${log}")
  endif()
endforeach()

# A request without the signature header.
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=HTTP_X_BODY_SIGNATURE VITALWIRE_WEBHOOK_KEY=webhook-key-of-the-receiver ${PROGRAM}
  INPUT_FILE ${BODY} OUTPUT_VARIABLE response ERROR_VARIABLE log RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR NOT response MATCHES "^Status: 401\r?\n" OR log)
  message(FATAL_ERROR "401 was expected: ${result}, ${response}${log}")
endif()
