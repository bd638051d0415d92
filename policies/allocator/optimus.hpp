#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <queue>
#include <string_view>
#include <vector>

#include "sim/engine/passes/allocator.hpp"

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
            for (std::size_t job = 0; job < view.jobs.size(); ++job)
                decision.put_row(job, rows);
        }
        [[nodiscard]] bool moves_with_time() const override { return true; }

        class Decision {
          public:
            explicit Decision(const AllocationView& view) : view_{view}, given_(view.jobs.size()) {
                for (const AllocationPool& pool : view.pools)
                    left_.push_back(pool.usable_slots());
                for (const AllocationJob& job : view.jobs)
                    if (view.stays(job))
                        left_[job.pool] -= job.is_on_leaving ? 0 : job.slots;
            }

            /// The fewest GPUs that a job may have, on the pool that runs it fastest.
            void give_least(std::size_t job) {
                const AllocationJob& one = view_.jobs[job];
                if (!takes_part(one))
                    return;
                Given best;
                for (PoolId pool{0}; pool < view_.pools.size(); ++pool) {
                    const Given here = first_from(one, 0, pool);
                    if (here.speed > 0 && here.slots <= left_[pool] &&
                        (best.speed == 0 || here.speed > best.speed ||
                         (here.speed == best.speed && pool == one.pool)))
                        best = here;
                }
                if (best.speed > 0)
                    left_[best.pool] -= best.slots;
                given_[job] = best;
            }

            /// Steps to more GPUs, the greatest gain first; of equal gains that of the earlier job.
            void grow() {
                std::priority_queue<Step> steps;
                for (std::size_t job = 0; job < given_.size(); ++job)
                    push_step(job, steps);
                while (!steps.empty()) {
                    const Step step = steps.top();
                    steps.pop();
                    Given& given = given_[step.job];
                    const std::int64_t more = step.to.slots - given.slots;
                    if (more > left_[given.pool])
                        continue; // what is free only becomes less
                    left_[given.pool] -= more;
                    given = step.to;
                    push_step(step.job, steps);
                }
            }

            void put_row(std::size_t job, std::vector<AllocationRow>& rows) const {
                const AllocationJob& one = view_.jobs[job];
                const Given& given = given_[job];
                if (!takes_part(one))
                    return;
                const PoolId none{view_.plan.num_pools};
                if (given.speed > 0)
                    rows.push_back({one.job, given.pool, given.gpus});
                else if (one.pool != none)
                    rows.push_back({one.job, none});
            }

          private:
            struct Given {
                PoolId pool{};
                std::uint32_t gpus{}; ///< 0: those that it asks for
                std::size_t form{};   ///< of AllocationJob::forms
                std::int64_t slots{};
                double speed{}; ///< 0: nothing is given
            };
            struct Step {
                double gain{}; ///< time to the end, in ms for each GPU more
                std::size_t job{};
                Given to;

                bool operator<(const Step& other) const {
                    return gain != other.gain ? gain < other.gain : job > other.job;
                }
            };

            [[nodiscard]] bool takes_part(const AllocationJob& job) const {
                return !job.is_saving && !view_.stays(job);
            }

            /// The first form, from `form` on, in which a job can be on a pool; speed 0: none.
            [[nodiscard]] Given
            first_from(const AllocationJob& job, std::size_t form, PoolId pool) const {
                if (job.forms.empty() && form == 0)
                    return {pool, 0, 0, job.slots, view_.speed(job, pool)};
                for (; form < job.forms.size(); ++form) {
                    const double speed = view_.speed_in(job, job.forms[form], pool);
                    const std::uint32_t gpus = view_.gpus_of(job.forms[form]);
                    if (speed > 0)
                        return {pool, gpus, form, std::int64_t{gpus} * slots_per_gpu, speed};
                }
                return {};
            }

            void push_step(std::size_t job, std::priority_queue<Step>& steps) const {
                const Given& given = given_[job];
                if (given.speed == 0)
                    return;
                const AllocationJob& one = view_.jobs[job];
                const Given next = first_from(one, given.form + 1, given.pool);
                if (next.speed == 0)
                    return;
                const auto left_ms = static_cast<double>(one.work_left_ms);
                const double gain =
                    (left_ms / given.speed - left_ms / next.speed) / (next.gpus - given.gpus);
                if (gain > 0)
                    steps.push({gain, job, next});
            }

            const AllocationView& view_;
            std::vector<std::int64_t> left_; ///< slots by pool
            std::vector<Given> given_;       ///< by place of the job in the view
        };
    };
};

}} // namespace bursar::policies
