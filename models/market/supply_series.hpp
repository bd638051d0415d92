#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/units/int128.hpp"
#include "models/units/units.hpp"

/// How many nodes a provider has to give, as time goes by.
namespace bursar { inline namespace models {

/// From `time_ms` on, until the next step, so many nodes can be had.
struct SupplyStep {
    std::int64_t time_ms{}; ///< since the scenario's zero, or since 1970: as its reader says
    std::int32_t nodes{};   ///< >= 0

    friend bool operator==(const SupplyStep&, const SupplyStep&) = default;
};

/// Steps of "nodes that can be had", observed from the first step until end(). Where the number
/// falls below what runs, the difference is reclaimed; where it is zero, launches fail.
class SupplySeries {
  public:
    /// steps: at least one, times strictly ascending, no number below zero. A step that changes
    /// nothing is left out. end: of what was observed; after the first step and not before the
    /// last. Throws ModelError.
    SupplySeries(std::vector<SupplyStep> steps, Duration end);

    [[nodiscard]] std::span<const SupplyStep> steps() const { return steps_; }
    [[nodiscard]] Duration begin() const { return Duration{steps_.front().time_ms}; }
    [[nodiscard]] Duration end() const { return end_; }
    [[nodiscard]] Duration length() const { return end() - begin(); }
    /// The most that can be had at any time.
    [[nodiscard]] std::int32_t max_nodes() const { return max_nodes_; }

    /// Nodes that can be had at `when`. Before the first step those of the first, from end() on
    /// those of the last: nobody observed either.
    [[nodiscard]] std::int32_t at(Duration when) const;

    /// Node-milliseconds from `from` until `until`, exact. from: <= until (asserted).
    [[nodiscard]] int128 node_ms(Duration from, Duration until) const;

    /// Of the time observed.
    [[nodiscard]] int128 node_ms() const { return node_ms(begin(), end()); }

  private:
    /// The step that holds at `when`.
    [[nodiscard]] std::size_t step_at(Duration when) const;

    std::vector<SupplyStep> steps_;
    Duration end_;
    std::int32_t max_nodes_{};
};

/// What is left when up and down are exchanged: max_nodes - nodes, for a file that counts what is
/// missing. Where nothing ever is missing, one node is always there.
[[nodiscard]] SupplySeries inverted(const SupplySeries& supply);

}} // namespace bursar::models
