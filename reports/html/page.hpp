#pragma once

#include <string_view>

#include "reports/document/document.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// The script that shows values under the pointer and zooms into charts, bundled from interactive/;
/// empty where the program was built without it (BURSAR_INTERACTIVE).
[[nodiscard]] std::string_view page_script();

/// A document as one page of HTML that needs nothing but itself: style and charts stand in it, and
/// a policy in its head forbids a browser to load or run anything except `script`, which may draw
/// charts again from their data. script: empty: none.
void render_html(const Document& document, TextSink& sink, std::string_view script = page_script());

}} // namespace bursar::reports
