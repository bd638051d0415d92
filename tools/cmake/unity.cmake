# Compiles the sources of a target folder by folder: one object for each folder in place of one for each
# source. A header costs its folder once, which makes a build of everything about three times cheaper;
# a source that changes is compiled again with its neighbours. CMake's own UNITY_BUILD is not used
# because it names sources by absolute paths, which a compiler cache cannot share between clones.
#
# What follows for sources: two of one folder cannot give one name to two things, not even in anonymous
# namespaces. -DBURSAR_UNITY=OFF compiles each source by itself (the tidy preset does).
option(BURSAR_UNITY "compile folder by folder" ON)
set(BURSAR_UNITY_MAX 12 CACHE STRING "sources in one object, at most; larger folders are divided")

# The object that a source goes to whose folder, or the folder above that it joins, has num_sources of
# them. By the name's hash: a new neighbour must not move the others.
function(bursar_unity_group path folder num_sources group)
  cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE relative)
  cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
  math(EXPR num_parts "(${num_sources} + ${BURSAR_UNITY_MAX} - 1) / ${BURSAR_UNITY_MAX}")
  string(MD5 hash ${relative})
  string(SUBSTRING ${hash} 0 4 digits)
  math(EXPR part "0x${digits} % ${num_parts}")
  set(${group} ${folder}/part_${part}.cpp PARENT_SCOPE)
endfunction()

# Counts a source in the folder that it is compiled with.
macro(bursar_unity_count folder)
  string(MD5 key ${folder})
  math(EXPR count_${key} "0${count_${key}} + 1")
endmacro()

# Call it when all sources of the target are known. JOIN_SMALL: a folder of fewer than five sources is
# compiled with the folder above it; of tests, each of which has a namespace of its own.
function(bursar_unity target)
  cmake_parse_arguments(arg "JOIN_SMALL" "" "" ${ARGN})
  if(NOT BURSAR_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(base ${target} SOURCE_DIR)
  set(kept "")
  set(joined "")
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${base} NORMALIZE)
    cmake_path(IS_PREFIX CMAKE_BINARY_DIR ${source} is_generated)
    # Engine instances take half a minute each: two cores share them.
    if(is_generated OR NOT source MATCHES "\\.cpp$" OR source MATCHES "/instances/")
      list(APPEND kept ${source})
      continue()
    endif()
    list(APPEND joined ${source})
    get_filename_component(folder ${source} DIRECTORY)
    bursar_unity_count(${folder})
  endforeach()

  set(folders "")
  foreach(source ${joined})
    get_filename_component(folder ${source} DIRECTORY)
    string(MD5 key ${folder})
    get_filename_component(above ${folder} DIRECTORY)
    cmake_path(IS_PREFIX base ${above} stays_inside)
    if(arg_JOIN_SMALL AND count_${key} LESS 5 AND stays_inside)
      set(folder ${above})
    endif()
    list(APPEND folders ${folder})
  endforeach()
  foreach(source folder IN ZIP_LISTS joined folders)
    get_filename_component(own ${source} DIRECTORY)
    if(NOT own STREQUAL folder)
      bursar_unity_count(${folder})
    endif()
  endforeach()

  set(groups "")
  foreach(source folder IN ZIP_LISTS joined folders)
    string(MD5 key ${folder})
    bursar_unity_group(${source} ${folder} ${count_${key}} group)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
    string(APPEND text_${group} "#include \"${source}\"\n")
    list(APPEND groups ${group})
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group ${groups})
    set(path ${CMAKE_BINARY_DIR}/unity/${target}/${group})
    file(CONFIGURE OUTPUT ${path} CONTENT "${text_${group}}" @ONLY)
    list(APPEND kept ${path})
  endforeach()
  set_property(TARGET ${target} PROPERTY SOURCES ${kept})
endfunction()

# What is run once for a run, a key of a scenario or a line of a bill, gains nothing from optimisation, and
# compiling it without most of that takes a third less. Names folders of the target; none: all of it.
function(bursar_compile_lightly target)
  if(NOT BURSAR_UNITY)
    return()
  endif()
  set(lightly "$<$<CONFIG:Release>:-O1>")
  if(NOT ARGN)
    target_compile_options(${target} PRIVATE ${lightly})
    return()
  endif()
  foreach(folder ${ARGN})
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "/unity/${target}/[^/]+/${folder}/")
    if(NOT sources)
      message(FATAL_ERROR "no source of ${target} is in ${folder}")
    endif()
    set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS ${lightly})
  endforeach()
endfunction()
