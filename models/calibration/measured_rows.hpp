#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace models {

/// Whether `ids` names the row `id`: the id itself ("bench-007"), or a range of ids that differ in
/// the number at their end, first and last included: "bench-001..109", "bench-0001..1437 by 4".
[[nodiscard]] bool names_row(std::string_view ids, std::string_view id);

/// Writes ids as few ranges: names_row() holds for exactly these ids. Order does not matter.
[[nodiscard]] std::vector<std::string> id_ranges(std::vector<std::string> ids);

/// Rows to fit on and rows to score on, by index.
struct Split {
    std::vector<std::size_t> fit;
    std::vector<std::size_t> score;
};

/// Fits on the 1st, 3rd, 5th, ... of `n` rows, scores on the others.
Split odd_even(std::size_t n);

/// `folds` splits; row i is scored in fold i mod folds and fitted in all others, so each row is
/// scored once, by constants fitted without it. folds: 2..n.
std::vector<Split> k_folds(std::size_t n, std::size_t folds);

/// One split per distinct label, in order of first appearance: scores on its rows, fits on all
/// others.
std::vector<Split> leave_one_out(const std::vector<std::string>& labels);

}} // namespace bursar::models
