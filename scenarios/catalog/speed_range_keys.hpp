#pragma once

#include <string>
#include <utility>

#include "models/gpu/speed_ratio.hpp"

#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/reader.hpp"
#include "scenarios/reader/table.hpp"

/// The keys low, likely and high of catalogue entries that hold a measured SpeedRange.
namespace bursar { inline namespace scenarios {

/// One of them; Range: the entry's member.
template <auto Range, class Entry>
KeyRow<Entry> speed_factor_of(std::string name, double SpeedRange::*member) {
    return required(std::move(name), within(Range, member), NumberRule{0, Bound::excluded, 1000});
}

template <class Entry>
Entry entry_of(SpeedRange Entry::*);

template <auto Range>
auto speed_factor(std::string name, double SpeedRange::*member) {
    return speed_factor_of<Range, decltype(entry_of(Range))>(std::move(name), member);
}

/// Reports a range out of order.
template <auto Range>
void check_speed_range(const Reader& at, decltype(entry_of(Range))& entry, const KeysRead& read) {
    const SpeedRange& range = entry.*Range;
    if (read.good("low") && read.good("likely") && read.good("high") &&
        !(range.low <= range.likely && range.likely <= range.high))
        at.mistake_at("likely", "is not between low and high");
}

}} // namespace bursar::scenarios
