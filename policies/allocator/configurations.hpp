#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "sim/engine/passes/allocator.hpp"

#include "policies/allocator/elastic_decision.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// A number of GPUs of a pool that a job may have, and what that is worth.
struct Configuration {
    std::size_t job{}; ///< its place in the view
    ElasticDecision::Given given{};
    double worth{}; ///< > 0, over having none
};

/// Gives each job at most one of its configurations, so that the sum of worth is high: the best
/// fractions of configurations by a linear program, in which all but as many jobs as there are
/// pools have a whole one, or none, as a corner of its rows has; then these jobs and what is left
/// of the pools one after the other, the greatest gain first. So the sum is below the best one by
/// what that many jobs are worth at most.
void choose_configurations(const std::vector<Configuration>& from, ElasticDecision& decision);

/// What elastic jobs have had, for allocators that decide by it.
class ElasticPast {
  public:
    void clear() { past_.clear(); }
    /// Jobs come, go and change their GPUs. Once per decision.
    void follow(const AllocationView& view);

    /// The largest number of GPUs that the job has held; 0: none yet.
    [[nodiscard]] std::uint32_t most_gpus(const AllocationJob& job) const;
    /// What is left of a job's time if it goes on with other GPUs, or again after it was stopped,
    /// as Pollux and Sia have it: its age without the time of all changes so far, over its age and
    /// the next change. 1 if it has never run; a little more if it goes on as it is, so that no job
    /// is stopped for an equal one.
    [[nodiscard]] double factor(const AllocationView& view,
                                const AllocationJob& job,
                                const ElasticDecision::Given& given) const;

  private:
    struct Past {
        PoolId pool{};
        std::uint32_t gpus{};
        std::uint32_t most_gpus{};
        std::int64_t num_changes{};
    };
    std::map<std::uint32_t, Past> past_;
};

/// How many GPUs a job may get. Its fewest it may always get.
enum class Growth : std::uint8_t {
    any,     ///< as many as it may have
    doubling ///< at most twice the most that it has had
};

inline constexpr OptionInfo growth_option{
    .name = "growth",
    .kind = OptionKind::choice,
    .meaning =
        "how many GPUs a job may get: as many as it may have (`any`), or its fewest and then "
        "at most twice the most that it has had (`doubling`, as in the paper, which knows "
        "no speeds beyond those)",
    .choices = {"any", "doubling"}};

/// Calls `take(given)` for each configuration of a job that takes part.
template <class Take>
void each_configuration(const AllocationView& view,
                        const AllocationJob& job,
                        const ElasticDecision& decision,
                        const ElasticPast& past,
                        Growth growth,
                        const Take& take) {
    if (!decision.takes_part(job))
        return;
    const std::uint32_t most = growth == Growth::doubling
                                   ? 2 * past.most_gpus(job)
                                   : std::numeric_limits<std::uint32_t>::max();
    for (std::size_t form = 0; form < ElasticDecision::num_forms(job); ++form)
        for (PoolId pool{0}; pool < view.pools.size(); ++pool)
            if (const ElasticDecision::Given given = decision.in_form(job, form, pool);
                given.speed > 0 && (form == 0 || given.gpus <= most))
                take(given);
}

}} // namespace bursar::policies
