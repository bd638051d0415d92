#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "models/topology/level_rates.hpp"
#include "models/topology/locality.hpp"

namespace bursar { inline namespace reports {

/// Links of one kind from a device: to how many devices of one word.
struct OutlineLink {
    std::string to;     ///< word of the device at the other end
    std::size_t each{}; ///< links of one such device
    bool to_peers{};    ///< the other end is such a device, too
    ByteRate bandwidth{};
    std::optional<Seconds> latency; ///< absent: not specified

    bool operator==(const OutlineLink&) const = default;
    std::partial_ordering operator<=>(const OutlineLink& other) const {
        const auto parts = [](const OutlineLink& link) {
            return std::tuple{link.to,
                              link.each,
                              link.to_peers,
                              link.bandwidth.count(),
                              link.latency ? link.latency->count() : -1};
        };
        return parts(*this) <=> parts(other);
    }
};

/// Devices of an enclosure that are alike.
struct OutlineRow {
    std::string word; ///< "nic"
    DeviceKind kind{};
    std::size_t count{};
    std::vector<OutlineLink> links; ///< outward and to peers; those inward stand at the other end

    auto operator<=>(const OutlineRow&) const = default;
};

/// An enclosure with what is in it; enclosures of equal content in a row are one with a count.
struct OutlineBox {
    std::string word; ///< "rack"
    std::size_t count{1};
    std::size_t gpus{};           ///< in one of them
    std::vector<OutlineRow> rows; ///< outermost kind first
    std::vector<OutlineBox> inside;

    bool operator==(const OutlineBox&) const = default;
};

/// A fabric with its repetitions folded up: what drawings show.
[[nodiscard]] OutlineBox outline_of(const Fabric& fabric);

/// What a drawing says of a fabric beside its outline.
struct FabricDrawing {
    std::string title;
    std::string gpu; ///< GPU model; empty: not known
    OutlineBox outline;
    Locality locality;
    std::vector<LevelRates> rates;
    std::size_t num_devices{};
    std::size_t num_links{};
};

}} // namespace bursar::reports
