#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/answer/answer.hpp"
#include "reports/compare/compare_question.hpp"
#include "reports/compare/comparison.hpp"

namespace bursar { inline namespace reports {

/// Cells of text under a header; the first column is aligned left, the last too where it is words.
struct ViewTable {
    std::string title;               ///< empty: none
    std::vector<std::string> header; ///< short; a '\n' parts its two lines
    std::vector<std::string> titles; ///< the same in full, a line each
    std::vector<std::vector<std::string>> rows;
    bool ends_in_words{};
    std::size_t together{1}; ///< behind the first, so many columns are never parted from each other
    std::vector<std::size_t>
        may_go;          ///< columns that may be omitted where the terminal is too narrow, in order
    std::string below{}; ///< a sentence under it; empty: none
};

/// A comparison for people, which the terminal and Markdown share. Names are as in the comparison:
/// each format escapes them.
struct CompareView {
    std::string title;
    std::vector<std::string> notes;   ///< how the runs were made
    ViewTable overview;               ///< variants by metrics: means, with "+" better and "-" worse
    std::string legend;               ///< of the overview
    std::vector<ViewTable> against;   ///< per variant but the base: metrics by difference
    std::string equal;                ///< the metrics that are the same for all; empty: none
    std::vector<std::string> caveats; ///< lines: a warning each, what is assumed and not modelled
    std::optional<AnswerSection> goal{}; ///< which variant meets it; absent: there is none
};

[[nodiscard]] CompareView view_of(const Comparison& comparison, const CompareQuestion& question);

}} // namespace bursar::reports
