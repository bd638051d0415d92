#include "models/calibration/splits.hpp"

#include <algorithm>
#include <cassert>

namespace bursar { inline namespace models {

Split odd_even(std::size_t n) {
    Split split;
    for (std::size_t i = 0; i < n; ++i)
        (i % 2 == 0 ? split.fit : split.score).push_back(i);
    return split;
}

std::vector<Split> k_folds(std::size_t n, std::size_t folds) {
    assert(folds >= 2 && folds <= n);
    std::vector<Split> splits(folds);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t fold = 0; fold < folds; ++fold)
            (i % folds == fold ? splits[fold].score : splits[fold].fit).push_back(i);
    return splits;
}

std::vector<Split> leave_one_out(const std::vector<std::string>& labels) {
    std::vector<std::string> distinct;
    for (const std::string& label : labels)
        if (std::ranges::find(distinct, label) == distinct.end())
            distinct.push_back(label);
    std::vector<Split> splits;
    for (const std::string& label : distinct) {
        Split& split = splits.emplace_back();
        for (std::size_t i = 0; i < labels.size(); ++i)
            (labels[i] == label ? split.score : split.fit).push_back(i);
    }
    return splits;
}

}} // namespace bursar::models
