# Sends webhooks to PROGRAM, a receiver that works in FOLDER.
cmake_policy(VERSION 3.21)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/received)
# The signatures are the output of: openssl dgst -sha256 -hmac webhook-key-of-the-receiver < BODY
set(key VITALWIRE_WEBHOOK_KEY=webhook-key-of-the-receiver)
file(WRITE ${FOLDER}/events
  [=[[{"application_user_id":"person-1","timestamp":"2025-11-20T12:00:00Z","event_type":"sleep","metrics":["heartrate"]}]]=])
set(events 53b7640496ff3b20b0a0c97fef1bd5ae8bd9f5268f096db7604929331b6d5e23)
file(WRITE ${FOLDER}/report
  [=[{"application_user_id":"person-1","record_id":"lab-1","status":"completed","uploaded_at":"2025-11-20T12:00:00Z","sections":[]}]=])
set(report d2149e1cf8e93806ddc674d53c4fb00e5b6f5d16e30091df4f9ca9c20745bff9)
file(WRITE ${FOLDER}/meal
  [=[{"application_user_id":"person-1","record_id":"meal-1","status":"completed","uploaded_at":"2025-11-20T12:00:00Z","dish_name":"Soup"}]=])
set(meal ed925cf49287049fafce8e9e4e15d48fe603eecd8ef9980779b90bfa9fb7af1b)
file(WRITE ${FOLDER}/ambiguous [=[{"application_user_id":"person-1","record_id":"record-1","status":"failed"}]=])
set(ambiguous 4c0ad437454a89dadccc09ba28ca3ea3db29e10906005564d62e2e3075d90d57)
file(WRITE ${FOLDER}/text "no JSON")
set(text 6b522ab54274456cf48fca8884b7de29ab7d1577745c535ef1111e2890a6e644)

# Sends a body with the variables ARGN. The response must have this status and no text, and the log must match.
function(responds status log_pattern body)
  file(SIZE ${FOLDER}/${body} length)
  execute_process(COMMAND ${WRAPPER} ${CMAKE_COMMAND} -E env ${key} HTTP_X_BODY_SIGNATURE=${${body}} CONTENT_LENGTH=${length} ${ARGN} ${PROGRAM}
    WORKING_DIRECTORY ${FOLDER} INPUT_FILE ${FOLDER}/${body} OUTPUT_VARIABLE response ERROR_VARIABLE log RESULT_VARIABLE result)
  if(NOT result EQUAL 0 OR NOT response MATCHES "^Status: ${status}\r?\nContent-Type: text/plain\r?\n\r?\n$" OR NOT log MATCHES "^${log_pattern}$")
    message(FATAL_ERROR "${status} with ${log_pattern} was expected: ${result}, ${response}${log}")
  endif()
endfunction()
# Checks the number of files of bodies, and that no other user can read them.
function(keeps expected)
  file(GLOB files ${FOLDER}/received/*)
  list(LENGTH files count)
  execute_process(COMMAND find ${FOLDER}/received -type f ! -perm 600 OUTPUT_VARIABLE readable COMMAND_ERROR_IS_FATAL ANY)
  if(readable OR NOT count EQUAL expected)
    message(FATAL_ERROR "${count} bodies are kept, and others can read ${readable}")
  endif()
endfunction()

# Requests that are rejected before the body is parsed. Errors are only in the log, on one line.
set(error "[^\n]+\n")
string(REPEAT 0 64 forged)
responds(401 "${error}" events HTTP_X_BODY_SIGNATURE=${forged})
responds(401 "${error}" events HTTP_X_BODY_SIGNATURE=)
responds(401 "${error}" events --unset=HTTP_X_BODY_SIGNATURE)
responds(500 "${error}" events --unset=VITALWIRE_WEBHOOK_KEY)
foreach(length IN ITEMS "" -1 +116 116x " 116" 0x74 1e2 117)
  responds(400 "" events "CONTENT_LENGTH=${length}")
endforeach()
responds(400 "" events --unset=CONTENT_LENGTH)
# A shorter body has another signature. 32 MiB is the maximum, so this length is read, and the body is shorter than stated.
responds(401 "${error}" events CONTENT_LENGTH=115)
responds(400 "" events CONTENT_LENGTH=33554432)
foreach(length IN ITEMS 33554433 100000000 18446744073709551732)
  responds(413 "" events CONTENT_LENGTH=${length})
endforeach()
keeps(0)

# Each kind. The second copy of a body is not processed.
responds(200 "event: sleep\n" events)
keeps(1)
responds(200 "" events)
responds(200 "lab report: completed\n" report)
responds(200 "" report)
responds(200 "meal: completed\n" meal)
responds(200 "" meal)
keeps(3)
# Bodies that are rejected are processed each time.
foreach(time RANGE 1)
  responds(400 "the kind of the body is unknown\n" ambiguous)
  responds(400 "the kind of the body is unknown\n" text)
endforeach()

# Another process has the body in progress, and ends without success.
file(REMOVE_RECURSE ${FOLDER}/received)
file(MAKE_DIRECTORY ${FOLDER}/received)
responds(200 "event: sleep\n" events)
file(GLOB file ${FOLDER}/received/*)
file(WRITE ${file} "")
find_program(flock flock)
if(flock)
  set(WRAPPER ${flock} ${file})
  responds(503 "" events)
  unset(WRAPPER)
elseif("$ENV{CI}")
  message(FATAL_ERROR "no flock; on Debian: apt install util-linux")
endif()
responds(200 "event: sleep\n" events)
responds(200 "" events)

# Nothing can be kept.
file(REMOVE_RECURSE ${FOLDER}/received)
responds(500 "${error}" events)
