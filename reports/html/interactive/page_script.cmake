# The script of the pages: bundled by npm's packages where that is asked for and there is an npm. Included
# by the folder of the library: what makes a source of it has to be said there.
if(BURSAR_INTERACTIVE)
  find_program(NPM npm)
  find_program(NODE NAMES node nodejs)
endif()
if(BURSAR_INTERACTIVE AND NPM AND NODE)
  set(sources ${CMAKE_CURRENT_LIST_DIR})
  set(stage ${CMAKE_CURRENT_BINARY_DIR}/html/interactive)
  set(inputs .npmrc charts.js flows.js frame.js planes.js rows.js package.json package-lock.json write_source.js)
  file(MAKE_DIRECTORY ${stage})
  list(TRANSFORM inputs PREPEND ${sources}/)
  add_custom_command(
    OUTPUT ${stage}/page_script.cpp
    DEPENDS ${inputs}
    COMMAND ${CMAKE_COMMAND} -E copy ${inputs} ${stage}
    COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
    COMMAND node_modules/.bin/esbuild charts.js --bundle --minify --format=iife --target=es2020
      --legal-comments=eof --log-level=error --outfile=bundle.js
    COMMAND ${NODE} write_source.js bundle.js page_script.cpp
    WORKING_DIRECTORY ${stage}
    COMMENT "Bundling the script of report.html"
    VERBATIM)
  target_sources(bursar_reports PRIVATE ${stage}/page_script.cpp)
  message(STATUS "report.html: charts that one can point at")
else()
  target_sources(bursar_reports PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../no_page_script.cpp)
  if(BURSAR_INTERACTIVE)
    message(WARNING "report.html: drawings alone, as there is no npm (BURSAR_INTERACTIVE)")
  else()
    message(STATUS "report.html: drawings alone (BURSAR_INTERACTIVE=ON adds charts that one can point at)")
  endif()
endif()
