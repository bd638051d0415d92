#include "scenarios/variants/number_axis.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::string_view range_dots = "..";
constexpr int max_decimals = 9;
constexpr std::int64_t max_number = 1'000'000'000'000; ///< of an entry: leaves room for a digit

std::optional<ValueRange> range_of(const std::string& text) {
    const bool is_range = text.find(range_dots) != std::string::npos;
    const auto range = parse_value_range(is_range ? text : text + std::string{range_dots} + text);
    return range && range->step == 0 ? range : std::nullopt;
}

} // namespace

std::optional<NumberAxis> NumberAxis::of(const Axis& axis) {
    if (!axis.with.empty())
        return std::nullopt;
    NumberAxis out;
    out.is_range_ = axis.values.front().find(range_dots) != std::string::npos;
    for (const std::string& text : axis.values)
        if (!out.add(text))
            return std::nullopt;
    return out;
}

/// Adds a value in its place, unless it is there already. False: it is of another kind.
bool NumberAxis::add(const std::string& text) {
    const auto range = range_of(text);
    if (!range || is_range_ != (text.find(range_dots) != std::string::npos))
        return false;
    if (entries_.empty())
        unit_ = range->unit;
    std::int64_t scale = 1;
    for (; decimals_ < range->decimals; ++decimals_)
        for (Entry& entry : entries_) {
            entry.first *= 10;
            entry.last *= 10;
        }
    for (int i = range->decimals; i < decimals_; ++i)
        scale *= 10;
    if (range->unit != unit_ || range->last > max_number / scale || range->first > range->last)
        return false;
    Entry entry{range->last * scale, range->first * scale, text};
    const auto key = [](const Entry& one) { return std::pair{one.last, one.first}; };
    const auto place = std::ranges::lower_bound(entries_, key(entry), {}, key);
    if (place == entries_.end() || key(*place) != key(entry))
        entries_.insert(place, std::move(entry));
    return entries_.back().last <= max_number;
}

std::size_t NumberAxis::place_of(std::string_view value) const {
    const auto range = range_of(std::string{value});
    assert(range);
    std::int64_t scale = 1;
    for (int i = range->decimals; i < decimals_; ++i)
        scale *= 10;
    const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) {
        return entry.last == range->last * scale && entry.first == range->first * scale;
    });
    assert(found != entries_.end());
    return static_cast<std::size_t>(found - entries_.begin());
}

std::string NumberAxis::text_of(std::int64_t first, std::int64_t last, int decimals) const {
    const auto number = [&](std::int64_t value, const std::string& unit) {
        return ValueRange{value, value, 0, decimals, unit}.value(0);
    };
    return is_range_ ? number(first, {}) + std::string{range_dots} + number(last, unit_)
                     : number(last, unit_);
}

bool NumberAxis::has_next_digit() const {
    return !is_whole_ && decimals_ < max_decimals && entries_.back().last <= max_number / 10;
}

std::optional<std::string> NumberAxis::fraction() const {
    const Entry& low = entries_.front();
    if (decimals_ > 0 || !has_next_digit())
        return std::nullopt;
    return text_of(low.first * 10, low.last * 10 + 5, 1);
}

std::optional<std::string> NumberAxis::between(std::size_t place) const {
    const Entry& low = entries_[place];
    const Entry& high = entries_[place + 1];
    const std::int64_t first = low.first + high.first; // twice the value
    const std::int64_t last = low.last + high.last;
    if ((first % 2 != 0 || last % 2 != 0) && has_next_digit())
        return text_of(first * 5, last * 5, decimals_ + 1);
    const auto is = [&](const Entry& one) {
        return one.first == first / 2 && one.last == last / 2;
    };
    return is(low) || is(high) ? std::nullopt
                               : std::optional{text_of(first / 2, last / 2, decimals_)};
}

void NumberAxis::insert(const std::string& value) {
    [[maybe_unused]] const bool is_number = add(value);
    assert(is_number);
}

std::uint64_t NumberAxis::max_size(std::uint64_t times) const {
    const std::uint64_t most = size() + 2 * times;
    if (!is_whole_)
        return most;
    const auto [least, largest] = std::ranges::minmax(entries_, {}, &Entry::first);
    const auto lasts = static_cast<std::uint64_t>(entries_.back().last - entries_.front().last) + 1;
    const auto firsts = static_cast<std::uint64_t>(largest.first - least.first) + 1;
    if (!is_range_)
        return std::min(most, lasts);
    return firsts > most ? most : std::min(most, lasts * firsts);
}

}} // namespace bursar::scenarios
