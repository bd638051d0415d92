#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "scenarios/topology/device_index.hpp"
#include "scenarios/topology/name_pattern.hpp"

namespace bursar { inline namespace scenarios {

/// The two ends of one entry of links.
struct LinkPattern {
    NamePattern from;
    NamePattern to;
};

/// The pairs of devices that an entry joins: every device `from` means, with every device `to`
/// means once the letters of `from` stand for its numbers. A pair comes once, whichever way round;
/// no device is joined with itself.
struct LinkPairs {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    std::optional<std::uint32_t> leads_nowhere; ///< a device whose other end is not there
};

/// from, to: the devices of the patterns' shapes. max_pairs: where to stop.
LinkPairs link_pairs(const LinkPattern& pattern,
                     const DevicesOfShape& from,
                     const DevicesOfShape& to,
                     std::size_t max_pairs);

}} // namespace bursar::scenarios
