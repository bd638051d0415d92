#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/units/units.hpp"

namespace bursar { inline namespace models {

/// For every k, the time in this month with at least k paid nodes: it determines the part of the
/// month that node k has reached. A part lasts a month divided by the number of parts.
///
/// An advance takes time in proportion to the number of parts, a change of the number of nodes to
/// that change.
class SustainedLevels {
  public:
    /// parts: >= 1. period: > 0, of a month.
    SustainedLevels(std::int64_t parts, Duration period)
        : period_ms_{period.count()}, reached_(static_cast<std::size_t>(parts)) {}

    /// Sets the number of nodes from `now_ms` on; times do not decrease.
    void set_nodes(std::int64_t now_ms, std::int64_t nodes) {
        if (nodes > static_cast<std::int64_t>(levels_.size()))
            levels_.resize(static_cast<std::size_t>(nodes));
        for (std::int64_t k = nodes_; k < nodes; ++k)
            levels_[static_cast<std::size_t>(k)].since_ms = now_ms;
        for (std::int64_t k = nodes; k < nodes_; ++k) {
            Level& level = levels_[static_cast<std::size_t>(k)];
            level.used_ms += now_ms - level.since_ms;
        }
        nodes_ = nodes;
    }

    /// A month begins.
    void begin_month(std::int64_t now_ms) {
        for (Level& level : levels_)
            level = {0, now_ms};
        std::ranges::fill(reached_, 0);
    }

    /// Nodes that have reached a part by `now_ms` are in it; part: 0 .. parts - 1.
    void pass_to(std::int64_t now_ms) {
        for (std::size_t part = 1; part < reached_.size(); ++part)
            while (reached_[part] < nodes_ &&
                   used_ms(reached_[part], now_ms) >= begin_of(static_cast<std::int64_t>(part)))
                ++reached_[part];
    }
    /// When the next node reaches its next part, if nothing changes; `none`: never.
    [[nodiscard]] std::int64_t next_ms(std::int64_t now_ms, std::int64_t none) const {
        std::int64_t next = none;
        for (std::size_t part = 1; part < reached_.size(); ++part)
            if (reached_[part] < nodes_)
                next = std::min(next,
                                now_ms + begin_of(static_cast<std::int64_t>(part)) -
                                    used_ms(reached_[part], now_ms));
        return next;
    }
    /// The number of present nodes in a part.
    [[nodiscard]] std::int64_t nodes_in(std::int64_t part) const {
        const auto at_least = [&](std::int64_t of) {
            return of == 0 ? nodes_ : std::min(nodes_, reached_[static_cast<std::size_t>(of)]);
        };
        const bool is_last = part + 1 == static_cast<std::int64_t>(reached_.size());
        return at_least(part) - (is_last ? 0 : at_least(part + 1));
    }

  private:
    struct Level {
        std::int64_t used_ms{};  ///< this month, before since_ms
        std::int64_t since_ms{}; ///< since when at least k nodes are there
    };

    [[nodiscard]] std::int64_t begin_of(std::int64_t part) const {
        return part * period_ms_ / static_cast<std::int64_t>(reached_.size());
    }
    /// Time this month with at least k + 1 nodes, of which there are that many now.
    [[nodiscard]] std::int64_t used_ms(std::int64_t k, std::int64_t now_ms) const {
        const Level& level = levels_[static_cast<std::size_t>(k)];
        return level.used_ms + now_ms - level.since_ms;
    }

    std::int64_t period_ms_;
    std::int64_t nodes_{};
    std::vector<Level> levels_; ///< by k, their use descending
    /// How many levels have reached each part this month; not counted for the first part.
    std::vector<std::int64_t> reached_;
};

}} // namespace bursar::models
