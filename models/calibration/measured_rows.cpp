#include "models/calibration/measured_rows.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdint>
#include <optional>

namespace bursar { inline namespace models {

namespace {

constexpr std::size_t max_digits = 18; // of a number of 64 bits

std::optional<std::int64_t> number_in(std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || value < 0)
        return std::nullopt;
    return value;
}

/// An id in two parts: the text before its final number, and that number.
struct NumberedId {
    std::string_view before;
    std::string_view digits;
    std::int64_t number{};
};

std::optional<NumberedId> numbered(std::string_view id) {
    const std::size_t last = id.find_last_not_of("0123456789");
    const std::size_t begin = last == std::string_view::npos ? 0 : last + 1;
    const std::string_view digits = id.substr(begin);
    if (digits.empty() || digits.size() > max_digits)
        return std::nullopt;
    return NumberedId{id.substr(0, begin), digits, *number_in(digits)};
}

/// "bench-0001..1437 by 4".
struct IdRange {
    NumberedId first;
    std::int64_t last{};
    std::int64_t step{1};
};

std::optional<IdRange> range_of(std::string_view text) {
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos)
        return std::nullopt;
    const std::optional<NumberedId> first = numbered(text.substr(0, dots));
    std::string_view rest = text.substr(dots + 2);
    std::int64_t step = 1;
    if (const std::size_t by = rest.find(" by "); by != std::string_view::npos) {
        step = number_in(rest.substr(by + 4)).value_or(0);
        rest = rest.substr(0, by);
    }
    const std::optional<std::int64_t> last = number_in(rest);
    if (!first || !last || step < 1)
        return std::nullopt;
    return IdRange{*first, *last, step};
}

std::string range_text(const std::string& first, std::string_view last, std::int64_t step) {
    std::string text = first + ".." + std::string{numbered(last)->digits};
    if (step > 1)
        text += " by " + std::to_string(step);
    return text;
}

/// The end of the run of ids from `ids[begin]` with equal steps; sets `step`.
std::size_t run_from(const std::vector<std::string>& ids, std::size_t begin, std::int64_t& step) {
    std::size_t end = begin + 1;
    for (; end < ids.size(); ++end) {
        const auto a = numbered(ids[end - 1]);
        const auto b = numbered(ids[end]);
        if (!a || !b || a->before != b->before || a->digits.size() != b->digits.size())
            break;
        const std::int64_t between = b->number - a->number;
        if (end > begin + 1 && between != step)
            break;
        step = between;
    }
    return end;
}

} // namespace

bool names_row(std::string_view ids, std::string_view id) {
    if (ids == id)
        return true;
    const std::optional<IdRange> range = range_of(ids);
    const std::optional<NumberedId> own = numbered(id);
    if (!range || !own || own->before != range->first.before ||
        own->digits.size() != range->first.digits.size())
        return false;
    return own->number >= range->first.number && own->number <= range->last &&
           (own->number - range->first.number) % range->step == 0;
}

std::vector<std::string> id_ranges(std::vector<std::string> ids) {
    std::ranges::sort(ids); // of one width, so that texts sort as their numbers
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::vector<std::string> ranges;
    for (std::size_t begin = 0; begin < ids.size();) {
        std::int64_t step = 1;
        std::size_t end = run_from(ids, begin, step);
        if (end - begin == 2)
            end = begin + 1; // two ids are no range
        ranges.push_back(end - begin == 1 ? ids[begin]
                                          : range_text(ids[begin], ids[end - 1], step));
        begin = end;
    }
    return ranges;
}

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
