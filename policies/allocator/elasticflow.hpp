#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/engine/passes/allocator.hpp"

#include "policies/allocator/deadline_plan.hpp"
#include "policies/allocator/earliest_deadline.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Admits a job if it and all admitted ones can meet their deadlines, each with the fewest GPUs
/// that suffice over time. Others get what is left.
struct ElasticFlow {
    static constexpr std::string_view name = "elasticflow";
    static constexpr std::string_view summary =
        "jobs that can all meet their deadlines the fewest GPUs that suffice; what is left where "
        "it saves most GPU time, then to the others";
    static constexpr std::string_view cost =
        "per decision: jobs^2 * pools * numbers of GPUs, and as much for each new job";
    static constexpr std::string_view source = "Gu et al., ASPLOS 2023 (ElasticFlow)";
    static constexpr std::string_view needs = "deadline";
    static constexpr bool needs_run_times = true;
    static constexpr bool resizes = true;
    static constexpr OptionInfo options[]{
        {.name = "slot",
         .kind = OptionKind::duration,
         .fallback = {60'000},
         .meaning = "plans change GPUs at multiples of this time; with rounds: at every round",
         .min = 1}};

    static std::unique_ptr<Allocator> from(const PolicyOptions& given) {
        return std::make_unique<Decider>(given.value(options[0]));
    }

  private:
    class Decider : public Allocator {
      public:
        explicit Decider(std::int64_t slot_ms) : slot_ms_{slot_ms} {}

      private:
        void begin() override {
            admitted_.clear();
            seen_.clear();
            wake_ms_ = horizon_ms;
        }
        [[nodiscard]] bool moves_with_time() const override { return true; }
        [[nodiscard]] std::int64_t wake_ms() const override { return wake_ms_; }

        void allocate(const AllocationView& view, std::vector<AllocationRow>& rows) override {
            const std::int64_t slot_ms = view.round_ms > 0 ? view.round_ms : slot_ms_;
            DeadlinePlans plans = admit(view, slot_ms);
            plans.grow();
            plans.fill(others(view));
            plans.put_rows(rows);
            const std::int64_t next_ms = plans.next_change_ms();
            wake_ms_ = next_ms < horizon_ms ? view.now_ms + next_ms : horizon_ms;
        }

        /// The plans of all admitted jobs; new jobs are admitted in order of submission.
        DeadlinePlans admit(const AllocationView& view, std::int64_t slot_ms) {
            std::vector<std::size_t> places; // of admitted jobs
            std::vector<std::size_t> fresh;
            for (const std::size_t job : by_deadline(view)) {
                if (std::ranges::binary_search(admitted_, view.jobs[job].job))
                    places.push_back(job);
                else if (due_ms(view, view.jobs[job]) < horizon_ms && is_new(view.jobs[job].job))
                    fresh.push_back(job);
            }
            std::erase_if(admitted_, [&](JobId job) { return !is_present(view, job); });
            note_seen(view);
            std::ranges::sort(fresh);
            DeadlinePlans plans{view, slot_ms, places};
            for (const std::size_t job : fresh) {
                std::vector<std::size_t> with = places;
                with.insert(std::ranges::upper_bound(
                                with,
                                due_ms(view, view.jobs[job]),
                                {},
                                [&](std::size_t other) { return due_ms(view, view.jobs[other]); }),
                            job);
                DeadlinePlans more{view, slot_ms, with};
                if (!more.is_met(job) || more.num_met() <= plans.num_met())
                    continue;
                plans = std::move(more);
                places = std::move(with);
                admitted_.insert(std::ranges::upper_bound(admitted_, view.jobs[job].job),
                                 view.jobs[job].job);
            }
            return plans;
        }

        /// Jobs that were not admitted, in order of submission.
        [[nodiscard]] std::vector<std::size_t> others(const AllocationView& view) const {
            std::vector<std::size_t> places;
            for (std::size_t job = 0; job < view.jobs.size(); ++job)
                if (!std::ranges::binary_search(admitted_, view.jobs[job].job))
                    places.push_back(job);
            return places;
        }

        [[nodiscard]] static bool is_present(const AllocationView& view, JobId job) {
            return std::ranges::binary_search(view.jobs, job, {}, &AllocationJob::job);
        }
        [[nodiscard]] bool is_new(JobId job) const {
            return !std::ranges::binary_search(seen_, job);
        }
        void note_seen(const AllocationView& view) {
            seen_.clear();
            for (const AllocationJob& job : view.jobs)
                seen_.push_back(job.job);
        }

        std::int64_t slot_ms_;
        std::int64_t wake_ms_{horizon_ms};
        std::vector<JobId> admitted_; ///< sorted
        std::vector<JobId> seen_;     ///< at the last decision; sorted
    };
};

}} // namespace bursar::policies
