# The version of a build: the tag of the commit, with the number of commits since it, or the project's version and
# the commit. Without a git checkout, the project's version.
# "0.1.0", "0.1.0+5.g0123456789ab", "0.1.0+g0123456789ab.dirty".
#
# As a script it writes OUTPUT from INPUT, only if the content changes:
#   cmake -DSOURCE=... -DPROJECT=0.1.0 -DINPUT=... -DOUTPUT=... -P git_version.cmake
function(bursar_git_version source project_version result)
  set(${result} ${project_version} PARENT_SCOPE)
  find_program(BURSAR_GIT git)
  if(NOT BURSAR_GIT)
    return()
  endif()
  set(git ${CMAKE_COMMAND} -E env GIT_OPTIONAL_LOCKS=0 ${BURSAR_GIT} -C ${source})
  set(quietly OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${git} rev-parse --show-toplevel OUTPUT_VARIABLE top RESULT_VARIABLE failed ${quietly})
  file(REAL_PATH ${source} source)
  if(failed OR NOT top STREQUAL source)
    return()
  endif()
  execute_process(COMMAND ${git} describe --tags --match v[0-9]* --dirty --abbrev=12
    OUTPUT_VARIABLE described RESULT_VARIABLE untagged ${quietly})
  if(untagged)
    execute_process(COMMAND ${git} describe --always --dirty --abbrev=12 --exclude *
      OUTPUT_VARIABLE described RESULT_VARIABLE failed ${quietly})
    if(failed)
      return()
    endif()
    set(described v${project_version}-g${described})
  endif()
  string(REGEX REPLACE "^v" "" described ${described})
  if(described MATCHES "^([0-9.]+)-(.*)$")
    set(described ${CMAKE_MATCH_1}+${CMAKE_MATCH_2})
  endif()
  string(REPLACE "-" "." described ${described})
  set(${result} ${described} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE AND OUTPUT)
  bursar_git_version(${SOURCE} ${PROJECT} BURSAR_BUILD_VERSION)
  configure_file(${INPUT} ${OUTPUT} @ONLY)
endif()
