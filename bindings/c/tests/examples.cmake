# Builds and runs the programs in examples/. Included by CMakeLists.txt.

# Runs a program with its own folder. It must exit with 0 and print what the regular expression PRINTS matches, or the file OUTPUT among the
# examples. For another processor, an emulator runs the programs.
function(prints name target)
  cmake_parse_arguments(PARSE_ARGV 2 option "SORTED" "PRINTS;OUTPUT" "ARGUMENTS;ENVIRONMENT;FILES")
  if(option_OUTPUT)
    set_property(GLOBAL APPEND PROPERTY outputs ${option_OUTPUT})
    set(option_OUTPUT ${PROJECT_SOURCE_DIR}/examples/${option_OUTPUT})
  endif()
  list(TRANSFORM option_FILES PREPEND ${PROJECT_SOURCE_DIR}/examples/)
  set(program ${CMAKE_COMMAND} -E env ${option_ENVIRONMENT} ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${target}> ${option_ARGUMENTS})
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} "-DPROGRAM=${program}" "-DPRINTS=${option_PRINTS}" "-DOUTPUT=${option_OUTPUT}"
    -DSORTED=${option_SORTED} -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/run/${name} "-DFILES=${option_FILES}"
    -P ${CMAKE_CURRENT_SOURCE_DIR}/example.cmake)
  set(tests ${tests} ${name} PARENT_SCOPE)
endfunction()
# Builds an example.
function(build name source)
  add_executable(${name} ../examples/${source})
  target_compile_options(${name} PRIVATE ${strict})
  target_link_libraries(${name} PRIVATE vitalwire::vitalwire)
  set_property(GLOBAL APPEND PROPERTY examples ${source})
endfunction()
# Builds an example and runs it. The other arguments are those of `prints`.
function(example name source)
  build(${name} ${source})
  prints(${name} ${name} ${ARGN})
  set(tests ${tests} PARENT_SCOPE)
endfunction()
set(steps "2025-11-18 [0-9]+ steps\n2025-11-19 [0-9]+ steps\n2025-11-20 1267 steps\n")
example(statistics_to_csv statistics_to_csv.cpp ARGUMENTS 2025-09-01 2025-11-20 steps heartrate_resting PRINTS
  "day,statistic,value\n2025-09-01,[a-z_]+,[0-9.]+\n(2025-[0-9-]+,(steps|heartrate_resting),[0-9.]+\n)*2025-11-20,steps,1267\n")
example(event_loop event_loop.c PRINTS "${steps}" SORTED ARGUMENTS 2025-11-18 2025-11-19 2025-11-20)
example(at_once at_once.cpp PRINTS "${steps}" ARGUMENTS 18 20)
example(coroutine coroutine.cpp PRINTS "person-1 1267 steps\n")
set_target_properties(coroutine PROPERTIES CXX_STANDARD 20)

# A program for the tests of `year`.
add_executable(user_token user_token.c)
target_compile_options(user_token PRIVATE ${strict})
target_link_libraries(user_token PRIVATE vitalwire::vitalwire)
set(user_token ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:user_token>)

# The programs of the guides, in both languages. A program that is in both prints the same.
foreach(ending IN ITEMS c cpp)
  example(last_night_${ending} last_night.${ending} OUTPUT last_night.out)
  example(tokens_${ending} tokens.${ending} OUTPUT tokens.out)
  example(upload_${ending} upload.${ending} OUTPUT upload.out FILES lunch.png report.pdf)
  example(errors_${ending} errors.${ending} OUTPUT errors.out)
  example(production_${ending} production.${ending} OUTPUT production.out)
  example(test_active_days_${ending} test_active_days.${ending} OUTPUT test_active_days.out)
  foreach(script IN ITEMS webhook_receiver year sync consent token_server)
    build(${script}_${ending} ${script}.${ending})
    list(APPEND program_${script} ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${script}_${ending}>)
    add_test(NAME ${script}_script_${ending} COMMAND ${CMAKE_COMMAND} "-DPROGRAM=${program_${script}}" "-DUSER_TOKEN=${user_token}"
      -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/run/${script}_${ending} -DOUTPUT=${PROJECT_SOURCE_DIR}/examples/${script}.out
      -P ${CMAKE_CURRENT_SOURCE_DIR}/${script}.cmake)
    unset(program_${script})
    list(APPEND tests ${script}_script_${ending})
  endforeach()
endforeach()
set_property(GLOBAL APPEND PROPERTY outputs year.out sync.out)

# This example needs libuv, which CI machines must have.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(uv QUIET IMPORTED_TARGET libuv)
endif()
if(uv_FOUND)
  example(event_loop_uv event_loop_uv.c PRINTS "hello, person-1\n")
  target_link_libraries(event_loop_uv PRIVATE PkgConfig::uv)
elseif("$ENV{CI}" AND NOT CMAKE_CROSSCOMPILING)
  message(FATAL_ERROR "no libuv, for an example; on Debian: apt install pkg-config libuv1-dev")
endif()

# A program that nothing runs, or an output that nothing compares, is an error. The step package-c runs arrow_to_duckdb.cpp.
set(folder ${PROJECT_SOURCE_DIR}/examples)
file(GLOB examples CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.c ${folder}/*.cpp)
file(GLOB outputs CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.out)
foreach(kind IN ITEMS examples outputs)
  get_property(run GLOBAL PROPERTY ${kind})
  list(REMOVE_ITEM ${kind} ${run} arrow_to_duckdb.cpp event_loop_uv.c)
  if(${kind})
    message(FATAL_ERROR "no test runs or compares these files of the examples: ${${kind}}")
  endif()
endforeach()

# A project that uses a clone, with the same compiler and without its flags.
if(NOT CMAKE_CROSSCOMPILING AND NOT CMAKE_C_FLAGS)
  set(from_clone ${CMAKE_CURRENT_BINARY_DIR}/from_clone)
  foreach(file IN ITEMS from_clone/CMakeLists.txt ../examples/last_night.c ../examples/last_night.cpp)
    cmake_path(GET file FILENAME copy)
    configure_file(${file} ${from_clone}/${copy} COPYONLY)
  endforeach()
  add_test(NAME from_clone COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${from_clone} ${from_clone}/build
    --build-generator ${CMAKE_GENERATOR} --build-options -DVITALWIRE_CLONE=${PROJECT_SOURCE_DIR}/../..
    -DVITALWIRE_LIBRARY=${VITALWIRE_LIBRARY} --test-command last_night)
  list(APPEND tests from_clone)
endif()
