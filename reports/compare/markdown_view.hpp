#pragma once

#include "reports/compare/compare_view.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// The cells of a table as Markdown, under its titles in full; what stands under another row is
/// indented.
void put_markdown_view(TextSink& sink, const ViewTable& table);

}} // namespace bursar::reports
