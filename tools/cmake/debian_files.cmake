# Makes a package meet Debian's policy: compressed pages and changelogs, the copyright, no file writable by
# others. CPack runs it on the files of the package.
set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(doc ${usr}/share/doc/bursar)

# The time of the commit, so that one commit makes one package.
set(date "Thu, 01 Jan 1970 00:00:00 +0000")
execute_process(COMMAND git -C ${CPACK_BURSAR_SOURCE} show -s --format=%aD
  OUTPUT_VARIABLE committed OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
if(NOT failed)
  set(date ${committed})
endif()
file(WRITE ${doc}/changelog.Debian
"bursar (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) bookworm; urgency=medium

  * Built from its source; what changed is in changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
configure_file(${CPACK_BURSAR_SOURCE}/tools/cmake/debian_copyright ${doc}/copyright COPYONLY)

file(GLOB pages ${usr}/share/man/man1/*.1)
execute_process(COMMAND gzip -9nf ${doc}/changelog ${doc}/changelog.Debian ${pages} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND chmod -R u+rwX,go+rX,go-w ${usr} COMMAND_ERROR_IS_FATAL ANY)
