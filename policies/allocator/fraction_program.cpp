#include "policies/allocator/fraction_program.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace bursar { inline namespace policies {
namespace {

using Terms = std::vector<LinearProgram::Term>;

constexpr double least_fraction = 1e-6; ///< below: the solver's error

} // namespace

void FractionProgram::require_speed(std::size_t job, double least) {
    for (PoolId pool{0}; pool < pools_ && view_.jobs[job].slots > 0; ++pool)
        if (may_use(job, pool))
            required_[job] = least;
}

std::optional<FractionProgram::Answer> FractionProgram::at_highest_level() const {
    const std::size_t last = last_required();
    if (last == none)
        return Answer{fractions_in({}), 0.0, false};
    LinearProgram program = with_speeds();
    program.maximise(level_of(last));
    return answer_of(program);
}

std::optional<FractionProgram::Answer> FractionProgram::at_level(double given) const {
    const std::size_t last = last_required();
    if (last == none)
        return Answer{fractions_in({}), 0.0, false};
    LinearProgram program = with_speeds();
    program.add_row({{level_of(last), -1.0}}, -given);
    return answer_of(program);
}

/// By the simplex method: the barrier method ends the process on some programs that maximise a sum.
std::optional<FractionProgram::Answer>
FractionProgram::at_highest_worth(const std::vector<double>& worth) const {
    LinearProgram program = shares(0);
    for (std::size_t i = 0; i < worth.size(); ++i)
        program.maximise(i, worth[i]);
    for (std::size_t job = 0; job < required_.size(); ++job) {
        if (required_[job] <= 0)
            continue;
        Terms terms;
        for (PoolId pool{0}; pool < pools_; ++pool)
            terms.push_back({variable(job, pool), -view_.speed(view_.jobs[job], pool)});
        program.add_row(terms, -required_[job]);
    }
    const LinearProgram::Solution best = program.solve_at_corner();
    if (best.x.empty())
        return std::nullopt;
    return Answer{fractions_in(best.x), 1.0, false};
}

/// The program without required speeds, with variables for levels after the fractions.
LinearProgram FractionProgram::shares(std::size_t num_levels) const {
    LinearProgram program{view_.jobs.size() * pools_ + num_levels};
    for (std::size_t pool = 0; pool < pools_; ++pool) {
        Terms held;
        for (std::size_t job = 0; job < view_.jobs.size(); ++job)
            held.push_back({variable(job, pool), gpus_of(view_.jobs[job])});
        program.add_row(held, static_cast<double>(view_.pools[pool].slots) / slots_per_gpu);
    }
    for (std::size_t job = 0; job < view_.jobs.size(); ++job) {
        Terms whole;
        for (PoolId pool{0}; pool < pools_; ++pool) {
            whole.push_back({variable(job, pool), 1.0});
            if (!may_use(job, pool))
                program.add_row({{variable(job, pool), 1.0}}, 0.0);
        }
        program.add_row(whole, 1.0);
    }
    return program;
}

/// The same with the required speeds. Each job has a copy of the level, at most that of the job
/// before: one variable in the rows of all jobs would make the solver's factors dense (0.3 s in
/// place of 0.02 s for 500 jobs on 3 pools).
LinearProgram FractionProgram::with_speeds() const {
    LinearProgram program = shares(required_.size());
    std::size_t last = none;
    for (std::size_t job = 0; job < required_.size(); ++job) {
        if (required_[job] <= 0)
            continue;
        Terms terms{{level_of(job), required_[job]}};
        for (PoolId pool{0}; pool < pools_; ++pool)
            terms.push_back({variable(job, pool), -view_.speed(view_.jobs[job], pool)});
        program.add_row(terms, 0.0);
        if (last != none)
            program.add_row({{level_of(job), 1.0}, {level_of(last), -1.0}}, 0.0);
        last = job;
    }
    return program;
}

/// The last job that requires a speed; its copy of the level is the least one.
std::size_t FractionProgram::last_required() const {
    std::size_t last = none;
    for (std::size_t job = 0; job < required_.size(); ++job)
        last = required_[job] > 0 ? job : last;
    return last;
}

std::optional<FractionProgram::Answer>
FractionProgram::answer_of(const LinearProgram& program) const {
    const LinearProgram::Solution best = program.solve();
    if (best.x.empty())
        return std::nullopt;
    const std::size_t last = last_required();
    return Answer{
        fractions_in(best.x), last == none ? 0.0 : best.x[level_of(last)], best.is_corner};
}

Fractions FractionProgram::fractions_in(std::vector<double> x) const {
    x.resize(view_.jobs.size() * pools_, 0.0);
    for (double& fraction : x)
        fraction = fraction > least_fraction ? std::min(fraction, 1.0) : 0.0;
    for (std::size_t job = 0; job < view_.jobs.size(); ++job)
        give_some(x, job);
    return x;
}

/// A job whose fractions are within the solver's error gets an equal share, so that it ends.
void FractionProgram::give_some(Fractions& x, std::size_t job) const {
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(job * pools_);
    const auto last = first + static_cast<std::ptrdiff_t>(pools_);
    if (std::any_of(first, last, [](double fraction) { return fraction > 0; }))
        return;
    for (PoolId pool{0}; pool < pools_; ++pool)
        if (may_use(job, pool))
            x[job * pools_ + pool] = 1.0 / static_cast<double>(view_.jobs.size() * pools_);
}

Fractions SolverAllocator::solve(const AllocationView& view) {
    std::optional<Answer> best = answer(view);
    if (!best)
        throw AllocationError{"allocator: the solver found no shares for the " +
                              std::to_string(view.jobs.size()) + " jobs at " +
                              std::to_string(view.now_ms / 1000) + " s"};
    if (best->is_corner)
        note_corner();
    return std::move(best->fractions);
}

double equal_share_speed(const AllocationView& view, const AllocationJob& job, double gpus) {
    double time = 0;
    double work = 0;
    for (PoolId pool{0}; pool < view.pools.size(); ++pool) {
        const double share = static_cast<double>(view.pools[pool].slots) / slots_per_gpu /
                             static_cast<double>(view.jobs.size()) / gpus;
        time += share;
        work += share * view.speed(job, pool);
    }
    return time > 1 ? work / time : work;
}

}} // namespace bursar::policies
