#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "models/network/collective.hpp"
#include "models/network/measured_curve.hpp"

namespace bursar { inline namespace models {

class OperatorLog;

/// Measured collectives of one machine, by operation and group: the size decides the time.
class MeasuredCollectives {
  public:
    struct Group {
        Collective kind{};
        std::int64_t ranks{};
        std::int64_t domains{1}; ///< of scale-up links (nodes) that they are spread over evenly

        auto operator<=>(const Group&) const = default;
    };
    struct Series {
        MeasuredCurve curve;
        std::string source; ///< file and line of its first size
    };

    /// Sizes are looked up at most this factor below the least and above the largest measured.
    static constexpr double reach = 4;

    void add(const Group& group, Series series) {
        series_.insert_or_assign(group, std::move(series));
    }

    /// The time of the collective over `group` of `tree`, interpolated between measured sizes
    /// (MeasuredCurve); absent where the group was not measured or `volume` is beyond reach. A
    /// group inside one domain counts as one of neighbours; a wider one must be of neighbours.
    [[nodiscard]] std::optional<Seconds>
    time(Collective kind, ByteVolume volume, CommGroup group, const LocalityTree& tree) const;

    [[nodiscard]] const std::map<Group, Series>& all() const { return series_; }

    std::shared_ptr<OperatorLog> log{}; ///< gets every lookup; null: none

  private:
    [[nodiscard]] const Series* find(Collective kind, CommGroup group, std::int64_t domain) const;

    std::map<Group, Series> series_;
};

}} // namespace bursar::models
