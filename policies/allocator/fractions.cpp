#include "policies/allocator/fractions.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <tuple>
#include <utility>

namespace bursar { inline namespace policies {

void FractionAllocator::begin() {
    num_solved_ = num_corners_ = num_decisions_ = 0;
    solved_state_.clear();
    shares_.clear();
    forget();
}

std::vector<std::int64_t> FractionAllocator::slots_to_give(const AllocationView& view) {
    std::vector<std::int64_t> left;
    for (const AllocationPool& pool : view.pools)
        left.push_back(pool.usable_slots());
    for (const AllocationJob& job : view.jobs)
        if (view.stays(job) && !job.is_on_leaving)
            left[job.pool] -= job.slots;
    return left;
}

/// What fractions depend on, but for time: the jobs that may run, where they may, the pools, and
/// prices where they count.
std::vector<std::uint64_t> FractionAllocator::state_of(const AllocationView& view) const {
    std::vector<std::uint64_t> state;
    for (const AllocationPool& pool : view.pools) {
        state.push_back(static_cast<std::uint64_t>(pool.slots));
        state.push_back(static_cast<std::uint64_t>(pool.leaving_slots));
        if (follows_prices())
            state.push_back(static_cast<std::uint64_t>(pool.price));
    }
    for (const AllocationJob& job : view.jobs) {
        state.push_back(std::uint64_t{job.job} << 2U | (view.stays(job) ? 2U : 0U) |
                        (job.is_saving ? 1U : 0U));
        state.push_back(job.pools);
    }
    return state;
}

/// Adds what jobs have received since the last decision; jobs come and go.
void FractionAllocator::follow(const AllocationView& view) {
    const std::size_t pools = view.pools.size();
    std::vector<Share> present;
    auto known = shares_.begin();
    for (const AllocationJob& job : view.jobs) {
        while (known != shares_.end() && known->job < job.job)
            ++known;
        if (known == shares_.end() || known->job != job.job) {
            present.push_back({job.job,
                               PoolId{view.plan.num_pools},
                               job.attained_ms,
                               std::vector<double>(pools, 0.0),
                               std::vector<double>(pools, first_received_ms(view)),
                               std::vector<double>(pools, 0.0)});
            continue;
        }
        if (known->pool < pools)
            known->received_ms[known->pool] +=
                static_cast<double>(job.attained_ms - known->attained_ms);
        known->attained_ms = job.attained_ms;
        present.push_back(std::move(*known));
        ++known;
    }
    shares_ = std::move(present);
}

/// Computes fractions, if it is time to; what jobs were owed by the last ones is kept.
void FractionAllocator::renew(const AllocationView& view) {
    const bool some_run = std::ranges::any_of(view.jobs, [&](const AllocationJob& job) {
        return job.pool < view.plan.num_pools || job.is_saving;
    });
    const std::int64_t since_ms = view.now_ms - solved_ms_;
    // The first time is not counted, as in Gavel, whose period begins at its first reset.
    std::vector<std::uint64_t> state = state_of(view);
    if (state == solved_state_ || (num_solved_ > 1 && some_run && since_ms < period_ms_))
        return;
    is_corner_ = false;
    const Fractions fractions = solve(view);
    num_corners_ += is_corner_ ? 1 : 0;
    const std::size_t pools = view.pools.size();
    for (std::size_t job = 0; job < shares_.size(); ++job) {
        Share& share = shares_[job];
        for (std::size_t pool = 0; pool < pools; ++pool) {
            if (num_solved_ > 0)
                share.owed_ms[pool] += share.fraction[pool] * static_cast<double>(since_ms) -
                                       (share.received_ms[pool] - first_received_ms(view));
            share.received_ms[pool] = first_received_ms(view);
            share.fraction[pool] = fractions[job * pools + pool];
        }
    }
    solved_ms_ = view.now_ms;
    ++num_solved_;
    solved_state_ = std::move(state);
}

std::string FractionAllocator::remark() const {
    if (num_corners_ == 0)
        return {};
    return std::to_string(num_corners_) + " of " + std::to_string(num_solved_) +
           " computations of shares have an answer at a corner of the best ones, as the solver "
           "found none inside: equal jobs may have unequal shares there";
}

/// Jobs without GPUs need no fraction: they run where they may.
void FractionAllocator::serve_without_gpus(const AllocationView& view, std::vector<PoolId>& given) {
    for (std::size_t i = 0; i < given.size(); ++i) {
        const AllocationJob& job = view.jobs[i];
        if (job.slots > 0 || job.is_saving)
            continue;
        given[i] = job.pool;
        for (PoolId pool{0}; pool < view.pools.size() && given[i] == view.plan.num_pools; ++pool)
            if (view.speed(job, pool) > 0)
                given[i] = pool;
    }
}

std::vector<FractionAllocator::Wish> FractionAllocator::wishes_for(
    PoolId pool, const AllocationView& view, const std::vector<PoolId>& given) const {
    double all_ms = 0;
    for (const Share& share : shares_)
        all_ms += share.received_ms[pool];
    std::vector<Wish> wishes;
    for (std::size_t job = 0; job < shares_.size(); ++job) {
        const Share& share = shares_[job];
        const double fraction = share.fraction[pool];
        if (fraction <= 0 || given[job] < view.pools.size() || view.jobs[job].is_saving ||
            view.speed(view.jobs[job], pool) <= 0) // nodes may have gone since
            continue;
        const double received_ms = share.received_ms[pool];
        const double scale = compares_pools() ? 1.0 : all_ms;
        wishes.push_back({received_ms > 0 ? fraction * scale / received_ms : fraction * 1e9,
                          share.owed_ms[pool],
                          fraction,
                          job,
                          pool});
    }
    return wishes;
}

void FractionAllocator::allocate(const AllocationView& view, std::vector<AllocationRow>& rows) {
    follow(view);
    renew(view);
    const std::size_t pools = view.pools.size();
    std::vector<PoolId> given(shares_.size(), PoolId{view.plan.num_pools});
    for (std::size_t job = 0; job < shares_.size(); ++job)
        if (view.stays(view.jobs[job]))
            given[job] = view.jobs[job].pool;
    std::vector<std::int64_t> left = slots_to_give(view);
    std::vector<Wish> wishes;
    const auto serve = [&] {
        std::ranges::sort(wishes, {}, [](const Wish& wish) {
            return std::tuple{-wish.priority, -wish.owed_ms, -wish.fraction, wish.job, wish.pool};
        });
        for (const Wish& wish : wishes) {
            const std::int64_t slots = view.jobs[wish.job].slots;
            if (given[wish.job] < pools || slots > left[wish.pool])
                continue;
            left[wish.pool] -= slots;
            given[wish.job] = wish.pool;
        }
        wishes.clear();
    };
    const std::uint64_t first = turns_pools() ? num_decisions_++ : 0;
    for (std::size_t i = 0; i < pools; ++i) {
        std::ranges::copy(
            wishes_for(PoolId{static_cast<std::uint32_t>((first + i) % pools)}, view, given),
            std::back_inserter(wishes));
        if (!compares_pools())
            serve();
    }
    serve();
    serve_without_gpus(view, given);
    for (std::size_t job = 0; job < shares_.size(); ++job) {
        shares_[job].pool = given[job];
        if (given[job] != view.jobs[job].pool)
            rows.push_back({view.jobs[job].job, given[job]});
    }
}

double work_per_cost(const AllocationView& view, const AllocationJob& job, PoolId pool) {
    constexpr double paid_anyway = 0.01;
    std::int64_t least = 0;
    for (const AllocationPool& each : view.pools)
        if (each.price > 0 && (least == 0 || each.price < least))
            least = each.price;
    const std::int64_t price = view.pools[pool].price;
    const double relative =
        price > 0 ? static_cast<double>(price) / static_cast<double>(least) : paid_anyway;
    return view.speed(job, pool) / (least > 0 ? relative : 1.0);
}

}} // namespace bursar::policies
