# Compiles through ccache if it is installed. Paths below this checkout are made relative before they are
# compared, so that clones of the same sources share objects.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without a writable home, the cache is in the build folder.
  execute_process(COMMAND ${CCACHE} --get-config cache_dir
    OUTPUT_VARIABLE cache_folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND mkdir -p "${cache_folder}/tmp" RESULT_VARIABLE refused ERROR_QUIET OUTPUT_QUIET)
  if(refused)
    set(own_cache CCACHE_DIR=${CMAKE_BINARY_DIR}/ccache)
  endif()
  set(launcher
    ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
    CCACHE_NOHASHDIR=1
    CCACHE_ABSSTDERR=1
    ${own_cache}
    ${CCACHE})
  foreach(language C CXX CUDA)
    set(CMAKE_${language}_COMPILER_LAUNCHER ${launcher})
  endforeach()
endif()
