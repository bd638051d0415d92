#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/engine/passes/allocator.hpp"

namespace bursar { inline namespace policies {

/// A decision of an allocator of elastic jobs: what each job gets, and what is left of the pools.
/// A job that stays (AllocationView::stays) keeps its GPUs, and one that saves gets none.
class ElasticDecision {
  public:
    /// GPUs of a pool, of one of a job's forms.
    struct Given {
        PoolId pool{};
        std::uint32_t gpus{}; ///< 0: those that it asks for
        std::size_t form{};   ///< of AllocationJob::forms
        std::int64_t slots{};
        double speed{}; ///< 0: nothing is given
    };

    /// view: outlives this.
    explicit ElasticDecision(const AllocationView& view) : view_{&view}, given_(view.jobs.size()) {
        for (const AllocationPool& pool : view.pools)
            left_.push_back(pool.usable_slots());
        for (const AllocationJob& job : view.jobs)
            if (view.stays(job))
                left_[job.pool] -= job.is_on_leaving ? 0 : job.slots;
    }

    [[nodiscard]] bool takes_part(const AllocationJob& job) const {
        return !job.is_saving && !view_->stays(job);
    }
    /// How many numbers of GPUs a job may have.
    [[nodiscard]] static std::size_t num_forms(const AllocationJob& job) {
        return job.forms.empty() ? 1 : job.forms.size();
    }
    /// A job with one of its numbers of GPUs on a pool; speed 0: it can't be there.
    [[nodiscard]] Given in_form(const AllocationJob& job, std::size_t form, PoolId pool) const {
        if (job.forms.empty())
            return {pool, 0, 0, job.slots, view_->speed(job, pool)};
        const std::uint32_t gpus = view_->gpus_of(job.forms[form]);
        return {pool,
                gpus,
                form,
                std::int64_t{gpus} * slots_per_gpu,
                view_->speed_in(job, job.forms[form], pool)};
    }

    /// By place of the job in the view.
    [[nodiscard]] const Given& given(std::size_t job) const { return given_[job]; }
    [[nodiscard]] std::int64_t left(PoolId pool) const { return left_[pool]; }
    [[nodiscard]] std::size_t num_pools() const { return left_.size(); }
    /// Gives a job GPUs in place of those that it was given before.
    void give(std::size_t job, const Given& what) {
        if (given_[job].speed > 0)
            left_[given_[job].pool] += given_[job].slots;
        if (what.speed > 0)
            left_[what.pool] -= what.slots;
        given_[job] = what;
    }

    /// Rows for all jobs that take part; one without GPUs stops.
    void put_rows(std::vector<AllocationRow>& rows) const {
        const PoolId none{view_->plan.num_pools};
        for (std::size_t job = 0; job < given_.size(); ++job) {
            const AllocationJob& one = view_->jobs[job];
            if (!takes_part(one))
                continue;
            if (given_[job].speed > 0)
                rows.push_back({one.job, given_[job].pool, given_[job].gpus});
            else if (one.pool != none)
                rows.push_back({one.job, none});
        }
    }

  private:
    const AllocationView* view_;
    std::vector<std::int64_t> left_; ///< slots by pool
    std::vector<Given> given_;
};

}} // namespace bursar::policies
