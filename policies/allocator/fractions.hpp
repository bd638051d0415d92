#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/engine/passes/allocator.hpp"

#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// The least time between two recomputations of an allocator.
inline constexpr OptionInfo recompute_option{
    .name = "recompute",
    .kind = OptionKind::duration,
    .fallback = {0},
    .meaning = "least time between two recomputations, which changes of jobs and pools cause",
    .max = std::int64_t{366} * 24 * 3600 * 1000};

/// The share of time that each job should get on each pool: x[job * pools + pool], jobs by their
/// place in the view.
using Fractions = std::vector<double>;

/// An allocator that gives jobs fractions of time on pools, realised over rounds as Gavel does:
/// pool after pool, the jobs with a fraction there get GPUs by their priority, which is their
/// fraction over the part of the pool's time that they have received since fractions were
/// computed; jobs that no longer fit are skipped. A job stays where it runs until some of its work
/// since its start would survive a stop, and while its GPUs are about to end or close.
///
/// Fractions are computed at the first decision, and again when jobs or pools have changed:
/// `period_ms` after the last time again, or at once where nothing runs. A job that came since has
/// none.
class FractionAllocator : public Allocator {
  public:
    explicit FractionAllocator(std::int64_t period_ms) : period_ms_{period_ms} {}

    void begin() override;
    void allocate(const AllocationView& view, std::vector<AllocationRow>& rows) override;
    [[nodiscard]] bool moves_with_time() const override { return true; }

    /// How many computations have an answer that favours some of equal jobs.
    [[nodiscard]] std::string remark() const override;

  protected:
    /// The fractions of all jobs in view: of each job at most 1 in all.
    virtual Fractions solve(const AllocationView& view) = 0;
    /// What solve() says of its answer: it is a corner of the best ones (LinearProgram::Solution).
    void note_corner() { is_corner_ = true; }
    /// All of a job's time on one pool, or none: by submission, each gets the pool with its highest
    /// score(job, pool) > 0 among those with enough GPUs left, the first of equals. Once no pool
    /// has enough for a job, those behind it get none.
    template <class Score>
    static Fractions whole_pools(const AllocationView& view, const Score& score);
    /// Whether it decides by prices, so that fractions are computed again when one changes.
    [[nodiscard]] virtual bool follows_prices() const { return false; }
    /// By pool: usable slots that no job holds that stays.
    static std::vector<std::int64_t> slots_to_give(const AllocationView& view);
    /// Whether pools take turns in giving their GPUs first, decision by decision; otherwise they
    /// do as the plan lists them.
    [[nodiscard]] virtual bool turns_pools() const { return false; }
    /// Whether each job goes where it lacks most of its fraction, so that fractions hold for a job
    /// without competitors, too; otherwise pools give their GPUs one after the other, and such a
    /// job takes the first pool of which it has a fraction.
    [[nodiscard]] virtual bool compares_pools() const { return false; }
    /// Forgets what solve() has learned of earlier jobs.
    virtual void forget() {}

  private:
    /// A job since fractions were computed.
    struct Share {
        JobId job{};
        PoolId pool{};                     ///< given at the last decision; num_pools: none
        std::int64_t attained_ms{};        ///< then
        std::vector<double> fraction{};    ///< by pool
        std::vector<double> received_ms{}; ///< by pool; from first_received_ms on
        std::vector<double> owed_ms{};     ///< by pool, from earlier fractions
    };

    /// A job that has a fraction on a pool and no GPUs yet.
    struct Wish {
        double priority{};
        double owed_ms{};
        double fraction{};
        std::size_t job{};
        PoolId pool{};
    };

    /// What a job counts as received at first, so that it is never 0: half a round.
    static double first_received_ms(const AllocationView& view) {
        return static_cast<double>(view.round_ms) / 2;
    }
    std::vector<std::uint64_t> state_of(const AllocationView& view) const;
    void follow(const AllocationView& view);
    void renew(const AllocationView& view);
    [[nodiscard]] std::vector<Wish>
    wishes_for(PoolId pool, const AllocationView& view, const std::vector<PoolId>& given) const;
    static void serve_without_gpus(const AllocationView& view, std::vector<PoolId>& given);

    std::int64_t period_ms_{};
    std::uint64_t num_decisions_{};
    std::int64_t solved_ms_{};
    std::uint64_t num_solved_{};
    std::uint64_t num_corners_{};             ///< of these, with an answer at a corner
    bool is_corner_{};                        ///< of the computation in progress
    std::vector<std::uint64_t> solved_state_; ///< state_of() then
    std::vector<Share> shares_;
};

template <class Score>
Fractions FractionAllocator::whole_pools(const AllocationView& view, const Score& score) {
    const std::size_t pools = view.pools.size();
    Fractions x(view.jobs.size() * pools, 0.0);
    std::vector<std::int64_t> left = slots_to_give(view);
    for (std::size_t job = 0; job < view.jobs.size(); ++job)
        if (view.stays(view.jobs[job]))
            x[job * pools + view.jobs[job].pool] = 1.0;
    for (std::size_t job = 0; job < view.jobs.size(); ++job) {
        const AllocationJob& one = view.jobs[job];
        if (one.is_saving || one.slots == 0 || view.stays(one))
            continue;
        std::size_t best = pools;
        double best_score = 0;
        bool has_room = false;
        for (PoolId pool{0}; pool < pools; ++pool) {
            if (one.slots > left[pool])
                continue;
            has_room = true;
            if (const double found = score(one, pool); found > best_score) {
                best = pool;
                best_score = found;
            }
        }
        if (!has_room)
            break; // no job passes one that does not fit
        if (best == pools)
            continue; // what is left is of no use to it
        left[best] -= one.slots;
        x[job * pools + best] = 1.0;
    }
    return x;
}

/// Work of a job on a pool for what a GPU costs there now, over that of reference work at the
/// lowest price of all pools. A pool that is paid in any case counts as a hundredth of that price,
/// so that it comes first; where all are, the price of all is one.
double work_per_cost(const AllocationView& view, const AllocationJob& job, PoolId pool);

}} // namespace bursar::policies
