#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/optimization/linear_program.hpp"

#include "sim/engine/passes/allocator.hpp"

#include "policies/allocator/fractions.hpp"

namespace bursar { inline namespace policies {

/// GPUs of a job's gang; below 1 for part of a GPU.
inline double gpus_of(const AllocationJob& job) {
    return static_cast<double>(job.slots) / slots_per_gpu;
}

/// A linear program over fractions, in which no job has more than all its time, and no pool more
/// than its GPUs. Jobs may require speeds, in multiples of one level. CLP solves it.
class FractionProgram {
  public:
    /// A solution.
    struct Answer {
        Fractions fractions;
        double level{};   ///< that all required speeds reach; 0 where there are none
        bool is_corner{}; ///< LinearProgram::Solution
    };

    explicit FractionProgram(const AllocationView& view)
        : view_{view}, pools_{view.pools.size()}, required_(view.jobs.size(), 0.0) {}

    /// Work of a job per time: at least `least` times the level. Of a job that needs no GPUs or
    /// can run nowhere now, nothing is required.
    void require_speed(std::size_t job, double least);

    // The answers are absent where the solver finds none.

    /// The fractions for the highest level.
    [[nodiscard]] std::optional<Answer> at_highest_level() const;
    /// Fractions for at least a given level.
    [[nodiscard]] std::optional<Answer> at_level(double given) const;
    /// The fractions with the highest sum of fraction * worth[job * pools + pool], for at least the
    /// required speeds (level 1).
    [[nodiscard]] std::optional<Answer> at_highest_worth(const std::vector<double>& worth) const;

  private:
    static constexpr std::size_t none = ~std::size_t{0};

    [[nodiscard]] LinearProgram shares(std::size_t num_levels) const;
    [[nodiscard]] LinearProgram with_speeds() const;
    [[nodiscard]] std::size_t last_required() const;
    [[nodiscard]] std::optional<Answer> answer_of(const LinearProgram& program) const;
    [[nodiscard]] Fractions fractions_in(std::vector<double> x) const;
    void give_some(Fractions& x, std::size_t job) const;
    [[nodiscard]] bool may_use(std::size_t job, PoolId pool) const {
        return view_.speed(view_.jobs[job], pool) > 0;
    }
    [[nodiscard]] std::size_t variable(std::size_t job, std::size_t pool) const {
        return job * pools_ + pool;
    }
    /// The copy of the level of a job.
    [[nodiscard]] std::size_t level_of(std::size_t job) const {
        return view_.jobs.size() * pools_ + job;
    }

    const AllocationView& view_;
    std::size_t pools_{};
    std::vector<double> required_; ///< by job; 0: nothing
};

/// An allocator whose fractions are the answer of a linear program. A run ends with the reason
/// where there is none.
class SolverAllocator : public FractionAllocator {
    using FractionAllocator::FractionAllocator;

  protected:
    using Answer = FractionProgram::Answer;

    virtual std::optional<Answer> answer(const AllocationView& view) = 0;

  private:
    Fractions solve(const AllocationView& view) final;
};

/// Work of a job per time if `gpus` of it run on an equal share of each pool: the pools' GPUs over
/// the number of jobs. It runs all the time at most.
double equal_share_speed(const AllocationView& view, const AllocationJob& job, double gpus);

}} // namespace bursar::policies
