#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string_view>
#include <vector>

#include "sim/engine/passes/allocator.hpp"

#include "policies/allocator/elastic_decision.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// The instant at which a job is due, in ms; one without a deadline is due last.
[[nodiscard]] inline std::int64_t due_ms(const AllocationView& view, const AllocationJob& job) {
    const std::int64_t* deadlines = view.plan.deadline_ms;
    const bool has_none = deadlines == nullptr || deadlines[job.job] == no_deadline_ms;
    return has_none ? horizon_ms : deadlines[job.job];
}

/// Places of the jobs in the view by their deadlines; equal ones by submission.
[[nodiscard]] inline std::vector<std::size_t> by_deadline(const AllocationView& view) {
    std::vector<std::size_t> order(view.jobs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, {}, [&](std::size_t job) { return due_ms(view, view.jobs[job]); });
    return order;
}

/// Gives elastic jobs GPUs by their deadlines.
struct EarliestDeadlineAllocation {
    static constexpr std::string_view name = "edf";
    static constexpr std::string_view summary =
        "by deadline, each job as many GPUs as it may have, of those that are left";
    static constexpr std::string_view cost = "per decision: jobs * (log(jobs) + pools * numbers of "
                                             "GPUs)";
    static constexpr std::string_view source =
        "Gu et al., ASPLOS 2023 (ElasticFlow, the baseline EDF)";
    static constexpr std::string_view needs = "deadline";
    static constexpr bool resizes = true;
    static constexpr OptionInfo options[]{
        {.name = "gpus",
         .kind = OptionKind::choice,
         .meaning = "the number that makes a job fastest, or the largest one even if it is slower",
         .choices = {"fastest", "most"}}};

    static std::unique_ptr<Allocator> from(const PolicyOptions& given) {
        return std::make_unique<Decider>(given.value(options[0]) == 1);
    }

  private:
    class Decider : public Allocator {
      public:
        explicit Decider(bool takes_most) : takes_most_{takes_most} {}

      private:
        void allocate(const AllocationView& view, std::vector<AllocationRow>& rows) override {
            ElasticDecision decision{view};
            for (const std::size_t job : by_deadline(view))
                if (decision.takes_part(view.jobs[job]))
                    decision.give(job, best(view, decision, view.jobs[job]));
            decision.put_rows(rows);
        }
        [[nodiscard]] bool moves_with_time() const override { return true; }

        using Given = ElasticDecision::Given;

        [[nodiscard]] Given best(const AllocationView& view,
                                 const ElasticDecision& decision,
                                 const AllocationJob& job) const {
            Given best;
            for (PoolId pool{0}; pool < view.pools.size(); ++pool)
                for (std::size_t form = 0; form < ElasticDecision::num_forms(job); ++form) {
                    const Given here = decision.in_form(job, form, pool);
                    if (here.speed > 0 && here.slots <= decision.left(pool) &&
                        is_better(job, here, best))
                        best = here;
                }
            return best;
        }
        /// Of equally good ones: the pool where it runs, then the first pool and the fewest GPUs.
        [[nodiscard]] bool
        is_better(const AllocationJob& job, const Given& here, const Given& than) const {
            if (takes_most_ && here.slots != than.slots)
                return here.slots > than.slots;
            return here.speed > than.speed ||
                   (here.speed == than.speed && here.pool == job.pool && than.pool != job.pool);
        }

        bool takes_most_;
    };
};

}} // namespace bursar::policies
