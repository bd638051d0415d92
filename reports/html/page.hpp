#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/html/figure.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// A table with what stands above it.
struct NamedTable {
    std::string title;
    HtmlTable table;
};

/// A page of HTML that needs nothing but itself: style and charts stand in it, and a policy in its
/// head forbids whatever else a browser could load or run, but for the script that it is given. All
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
    /// caption: for screen readers.
    void table(const HtmlTable& table, std::string_view caption);
    /// Tables side by side where there is room, each below its title, of which an empty one is
    /// left out.
    void tables(const std::vector<NamedTable>& tables);
    /// first: a table before the figures. Nothing where there is neither.
    void section(const FigureSection& section, const std::optional<NamedTable>& first = {});
    void end();

  private:
    void block(const NamedTable& named);
    void figure(const Figure& figure);

    TextSink& sink_;
    std::string_view script_;
};

}} // namespace bursar::reports
