#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/units/int128.hpp"
#include "models/units/units.hpp"

/// The number of nodes that a provider offers, over time.
namespace bursar { inline namespace models {

/// From `time_ms` until the next step, `nodes` nodes are available.
struct SupplyStep {
    std::int64_t time_ms{}; ///< since the scenario's zero, or since 1970 (documented by its reader)
    std::int32_t nodes{};   ///< >= 0

    friend bool operator==(const SupplyStep&, const SupplyStep&) = default;
};

/// Steps of the number of available nodes, observed from the first step until end(). When it falls
/// below the number in use, the difference is reclaimed; while it is zero, launches fail.
class SupplySeries {
  public:
    /// steps: at least one, times strictly ascending, no number below zero. A step that changes
    /// nothing is left out. end: of the observation; after the first step, not before the last.
    /// Throws ModelError.
    SupplySeries(std::vector<SupplyStep> steps, Duration end);

    [[nodiscard]] std::span<const SupplyStep> steps() const { return steps_; }
    [[nodiscard]] Duration begin() const { return Duration{steps_.front().time_ms}; }
    [[nodiscard]] Duration end() const { return end_; }
    [[nodiscard]] Duration length() const { return end() - begin(); }
    /// The maximum over time.
    [[nodiscard]] std::int32_t max_nodes() const { return max_nodes_; }

    /// Available nodes at `when`; before and after the observation, those of the first and the last
    /// step.
    [[nodiscard]] std::int32_t at(Duration when) const;

    /// Node-milliseconds from `from` until `until`, exact. from: <= until (asserted).
    [[nodiscard]] int128 node_ms(Duration from, Duration until) const;

    /// Mean over the observed time.
    [[nodiscard]] int128 node_ms() const { return node_ms(begin(), end()); }

  private:
    /// The step that holds at `when`.
    [[nodiscard]] std::size_t step_at(Duration when) const;

    std::vector<SupplyStep> steps_;
    Duration end_;
    std::int32_t max_nodes_{};
};

/// max_nodes - nodes, for a file that counts missing nodes. Where none is ever missing, one node is
/// always available.
[[nodiscard]] SupplySeries inverted(const SupplySeries& supply);

}} // namespace bursar::models
