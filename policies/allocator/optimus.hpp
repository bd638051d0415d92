#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <queue>
#include <string_view>
#include <vector>

#include "sim/engine/passes/allocator.hpp"

#include "policies/allocator/elastic_decision.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Gives elastic jobs GPUs one step after the other, each to the job that it brings nearest to its
/// end for each GPU.
///
/// A job is not stopped before some of its work since its start would survive: it would never end.
/// Nor is one whose GPUs are about to end or close: no other could have them.
struct Optimus {
    static constexpr std::string_view name = "optimus";
    static constexpr std::string_view summary =
        "each job the fewest GPUs that it may have, by submission; then more, step by step, to the "
        "job whose end that brings nearest for each GPU";
    static constexpr std::string_view cost =
        "per decision: jobs * pools, and log(jobs) for each step of a job's GPUs";
    static constexpr std::string_view source = "Peng et al., EuroSys 2018 (Optimus, section 4.1)";
    static constexpr bool needs_run_times = true;
    static constexpr bool resizes = true;

    static std::unique_ptr<Allocator> from(const PolicyOptions&) {
        return std::make_unique<Decider>();
    }

  private:
    class Decider : public Allocator {
        void allocate(const AllocationView& view, std::vector<AllocationRow>& rows) override {
            Decision decision{view};
            for (std::size_t job = 0; job < view.jobs.size(); ++job)
                decision.give_least(job);
            decision.grow();
            decision.put_rows(rows);
        }
        [[nodiscard]] bool moves_with_time() const override { return true; }

        class Decision : public ElasticDecision {
          public:
            explicit Decision(const AllocationView& view) : ElasticDecision{view}, view_{view} {}

            /// The fewest GPUs that a job may have, on the pool that runs it fastest.
            void give_least(std::size_t job) {
                const AllocationJob& one = view_.jobs[job];
                if (!takes_part(one))
                    return;
                Given best;
                for (PoolId pool{0}; pool < view_.pools.size(); ++pool) {
                    const Given here = first_from(one, 0, pool);
                    if (here.speed > 0 && here.slots <= left(pool) &&
                        (best.speed == 0 || here.speed > best.speed ||
                         (here.speed == best.speed && pool == one.pool)))
                        best = here;
                }
                give(job, best);
            }

            /// Steps to more GPUs, the greatest gain first; of equal gains that of the earlier job.
            void grow() {
                std::priority_queue<Step> steps;
                for (std::size_t job = 0; job < view_.jobs.size(); ++job)
                    push_step(job, steps);
                while (!steps.empty()) {
                    const Step step = steps.top();
                    steps.pop();
                    if (step.to.slots - given(step.job).slots > left(step.to.pool))
                        continue; // what is free only becomes less
                    give(step.job, step.to);
                    push_step(step.job, steps);
                }
            }

          private:
            struct Step {
                double gain{}; ///< time to the end, in ms for each GPU more
                std::size_t job{};
                Given to;

                bool operator<(const Step& other) const {
                    return gain != other.gain ? gain < other.gain : job > other.job;
                }
            };

            /// The first form, from `form` on, in which a job can be on a pool; speed 0: none.
            [[nodiscard]] Given
            first_from(const AllocationJob& job, std::size_t form, PoolId pool) const {
                for (; form < num_forms(job); ++form)
                    if (const Given here = in_form(job, form, pool); here.speed > 0)
                        return here;
                return {};
            }

            void push_step(std::size_t job, std::priority_queue<Step>& steps) const {
                const Given& now = given(job);
                if (now.speed == 0)
                    return;
                const AllocationJob& one = view_.jobs[job];
                const Given next = first_from(one, now.form + 1, now.pool);
                if (next.speed == 0)
                    return;
                const auto left_ms = static_cast<double>(one.work_left_ms);
                const double gain =
                    (left_ms / now.speed - left_ms / next.speed) / (next.gpus - now.gpus);
                if (gain > 0)
                    steps.push({gain, job, next});
            }

            const AllocationView& view_;
        };
    };
};

}} // namespace bursar::policies
