#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// A page of HTML that needs nothing but itself: style and charts stand in it, and a policy in its
/// head forbids a browser to load or run anything else, except the given script. All
/// text is escaped here; control characters and marks of direction become visible, and what is
/// longer than a line ends in an ellipsis.
class HtmlPage {
  public:
    /// Opens the page. title: of the window and of the first heading. script: runs at its end and
    /// may draw charts anew from their data; outlives the page; empty: none, and none may run.
    HtmlPage(std::string_view title, TextSink& sink, std::string_view script = {});

    void heading(std::string_view text);
    void paragraph(std::string_view text, std::string_view classes = {});
    /// Names with what is said of each.
    void facts(const std::vector<std::pair<std::string, std::string>>& facts);
    /// The values of an answer, named.
    void facts(const Facts& facts);
    /// Without its title. caption: for screen readers.
    void table(const ReportTable& table, std::string_view caption);
    /// Tables side by side where there is room, each below its title if it has one.
    void tables(const std::vector<ReportTable>& tables);
    /// first: a table before the figures. Nothing where there is neither.
    void section(const FigureSection& section, const std::optional<ReportTable>& first = {});
    void end();

  private:
    void block(const ReportTable& titled);
    void figure(const Figure& figure);

    TextSink& sink_;
    std::string_view script_;
};

/// A document as one page of HTML that needs nothing but itself.
void render_html(const Document& document, TextSink& sink);

}} // namespace bursar::reports
