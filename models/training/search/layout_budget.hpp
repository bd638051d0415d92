#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/training/search/layout_search.hpp"
#include "models/units/units.hpp"

namespace bursar { inline namespace models {

/// GPUs that could be rented or used for a run.
struct FleetOption {
    Cluster cluster;
    std::int64_t gpus{}; ///< > 0
    MoneyRate price{};   ///< per GPU-hour, >= 0
    // Absent: the job's.
    std::optional<Attention> attention{};
    std::optional<Fp8Scaling> fp8_scaling{};
};

/// The goal of the run and its limits.
struct TrainingGoal {
    double tokens{}; ///< > 0
    std::optional<double> budget_usd;
    std::optional<Seconds> deadline;
};

/// One option under one layout.
struct FleetPlan {
    std::size_t option{}; ///< its index
    RankedLayout layout;
    Seconds duration; ///< steps times step time; no failures, no checkpoints
    double usd{};     ///< GPUs times duration times price
};

[[nodiscard]] bool meets(const FleetPlan& plan, const TrainingGoal& goal);

/// The result of a search over several options.
struct FleetSearch {
    /// The fastest layout of every option on which one fits: first those that meet the goal, the
    /// cheapest first, then the others in the same order.
    std::vector<FleetPlan> plans;
    /// Plans of all options that no other beats in duration, money and memory at once; by duration.
    std::vector<FleetPlan> pareto;
    std::int64_t evaluated{};
    std::int64_t excluded_by_rule{};
    std::int64_t excluded_by_memory{};
};

/// Searches the layouts of every option. space.gpus is replaced by each option's own count, and
/// precisions that its GPU lacks are left out.
///
/// Throws ModelError for no tokens or no options; otherwise as search_layouts.
[[nodiscard]] FleetSearch search_fleets(const TrainingJob& job,
                                        const std::vector<FleetOption>& options,
                                        const StackProfile& profile,
                                        const LayoutSpace& space,
                                        const TrainingGoal& goal,
                                        const MemoryOverheads& overheads = {});

/// The shape at which the size of a run and its utilisation agree, where the utilisation decides
/// how large a run the money pays for. From `first` on: the utilisation of a shape, the shape of
/// the run that it pays for, and so on, until a shape comes again. If shapes then alternate, the
/// one of least utilisation. Calls utilisation_of at most once for each shape.
[[nodiscard]] std::size_t
settled_shape(std::size_t first,
              const std::function<std::size_t(double utilisation)>& shape_at,
              const std::function<double(std::size_t shape)>& utilisation_of);

}} // namespace bursar::models
