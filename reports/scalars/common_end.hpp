#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/units/units.hpp"

#include "sim/plan/purchase.hpp"

#include "reports/scalars/scalars.hpp"

/// The cost of runs to a common end, for `compare` and `sweep`. A run costs what it costs to its
/// own end, whatever else is compared. Owned and reserved capacity may go on after that: so beside
/// this cost stands the cost to the latest end of the runs of the same seed, where ends differ.
namespace bursar { inline namespace reports {

/// Capacity that is paid for whether it is used or not, and after the end of a run.
struct KeptCapacity {
    Purchase purchase{Purchase::owned}; ///< or reserved
    std::int64_t gpus{};                ///< >= 1
    std::optional<MoneyRate> rate{};    ///< of a GPU; absent: it changes with time
    Duration step{1};                   ///< paid time is rounded up to a multiple of it

    bool operator==(const KeptCapacity&) const = default;
};

/// When a run ended, and what it takes to pay for it to a later end.
struct RunEnding {
    Duration end{};
    bool by_itself{};                      ///< else the scenario says when: it has no later end
    std::optional<Duration> measured_to{}; ///< the bill covers nothing from then on
    std::vector<KeptCapacity> kept{};

    bool operator==(const RunEnding&) const = default;
};

/// The latest end of the runs of each seed.
class CommonEnds {
  public:
    void add(std::uint64_t seed, const RunEnding& run) {
        Duration& end = by_seed_[seed];
        end = end < run.end ? run.end : end;
    }
    [[nodiscard]] Duration of(std::uint64_t seed) const { return by_seed_.at(seed); }

    /// The cost of kept capacity from the run's own end to the common one, with no job on it, in
    /// USD, to a millionth. On-demand and spot capacity, energy and other costs end with the run.
    /// Absent: a price after the run's own end is not known.
    [[nodiscard]] std::optional<double> cost_past(std::uint64_t seed, const RunEnding& run) const;
    /// With that, the cost of the run to the common end. own: its `cost.total`.
    [[nodiscard]] std::optional<double>
    cost_to(std::uint64_t seed, const RunEnding& run, std::optional<double> own) const;

  private:
    std::map<std::uint64_t, Duration> by_seed_;
};

/// The metric `cost.to_common_end`. It is not in the table of scalars, as no run has it alone.
[[nodiscard]] const ScalarRow& common_end_cost();

/// Removes the interval from statistics of that metric: it holds for no run.
[[nodiscard]] RepeatedScalar without_interval(RepeatedScalar scalar);

/// The costs of one scenario, in USD.
struct CostsToEnds {
    std::string name;
    double own{};    ///< cost.total
    double common{}; ///< cost.to_common_end
};

/// Says that one of the two costs ranks scenarios differently than the other; empty: neither does.
/// by_common_end: which of them is ranked.
[[nodiscard]] std::string other_ranking(std::vector<CostsToEnds> costs, bool by_common_end);

}} // namespace bursar::reports
