# `cmake --install`: the programs that were built, and a share folder with manual pages, completions, the schema of
# scenarios and documentation; `cpack`: the same as a .deb (tools/package).
include(GNUInstallDirs)
install(TARGETS bursar RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# tools/quickstart builds bursar alone.
install(TARGETS bursar-batch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
install(FILES README.md CHANGELOG.md PLANNING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY scenarios/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN *.yaml PATTERN *.csv.gz PATTERN bursar.schema.json)
install(DIRECTORY reports/schemas/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bursar FILES_MATCHING PATTERN *.schema.json)
# bursar writes its pages from the table that it prints as help. The page of bursar-batch, which uses no library, is
# its help text.
install(CODE "
  set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
  message(STATUS \"Writing pages: \${share}\")
  execute_process(COMMAND \"$<TARGET_FILE:bursar>\" pages \"\${share}\" COMMAND_ERROR_IS_FATAL ANY)
  if(EXISTS \"$<TARGET_FILE:bursar-batch>\")
    execute_process(COMMAND \"$<TARGET_FILE:bursar-batch>\" --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
    file(CONFIGURE OUTPUT \"\${share}/man/man1/bursar-batch.1\" @ONLY CONTENT [=[
.TH BURSAR\\-BATCH 1 \"\" \"bursar ${PROJECT_VERSION}\" \"User Commands\"
.SH NAME
bursar\\-batch \\- run plan files on GPUs or all cores
.SH DESCRIPTION
.nf
@help@
.fi
.SH SEE ALSO
.BR bursar\\-compile (1)
]=])
  endif()")

include(tools/cmake/git_version.cmake)
bursar_git_version(${CMAKE_SOURCE_DIR} ${PROJECT_VERSION} CPACK_PACKAGE_VERSION)
set(BURSAR_MAINTAINER "bursar maintainers <maintainers@bursar.example>" CACHE STRING "of the package")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bursar)
set(CPACK_PACKAGE_CONTACT ${BURSAR_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of what GPU clusters cost")
set(CPACK_PACKAGE_DESCRIPTION
  "bursar replays a workload of GPU jobs against a fleet, a market and a set
of policies, and says where every paid GPU-hour and dollar went, from one
exact ledger. It reads traces of Slurm, Kubernetes, LSF, PBS and plain
sheets, compares policies on the same jobs, and sweeps over prices, sizes
and seeds.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1~deb12)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/tools/cmake/debian_files.cmake)
set(CPACK_BURSAR_SOURCE ${CMAKE_SOURCE_DIR})
include(CPack)
