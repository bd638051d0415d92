#pragma once

#include <string_view>

#include "reports/document/document.hpp"
#include "reports/text/text_sink.hpp"

/// Parts of a document as GitHub-flavoured Markdown. All texts are escaped here.
namespace bursar { inline namespace reports {

/// A heading of the second level behind an empty line.
void put_markdown_heading(std::string_view title, TextSink& sink);

/// The table without its title; sums are in bold.
void put_markdown_table(const ReportTable& table, TextSink& sink);

/// A list of the values.
void put_markdown_facts(const Facts& facts, TextSink& sink);

}} // namespace bursar::reports
