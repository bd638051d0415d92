#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/estimated_hold.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// What was promised to jobs of zero length at an instant, by place (a pool, a node). They run one
/// after the other, so a place must keep only what the largest of them needs.
///
/// A chained hash table in the arena; needs of one size at one place and instant share an entry.
class InstantNeeds {
  public:
    InstantNeeds() = default;
    BURSAR_HD InstantNeeds(ArenaCarver& carver, std::size_t max_needs)
        : max_needs_{static_cast<std::uint32_t>(max_needs)},
          buckets_{carver.take<std::uint32_t>(max_needs)}, needs_{carver.take<Need>(max_needs)} {}

    /// How many jobs of the plan may have zero believed length; a stopped one may have no work
    /// left.
    [[nodiscard]] BURSAR_HD static std::size_t num_jobs_of(const RunPlan& plan) {
        std::size_t num = 0;
        if (plan.moves)
            return plan.num_jobs;
        for (JobId job{0}; job < plan.num_jobs; ++job)
            num += shortest_hold_ms(plan, job, progress_at_arrival(plan, job)) == 0 ? 1 : 0;
        return num;
    }

    BURSAR_HD void clear() {
        for (std::uint32_t bucket = 0; bucket < max_needs_; ++bucket)
            buckets_[bucket] = 0;
        num_used_ = first_free_ = 0;
    }

    /// Adds the need of another job. Returns by how much the capacity that the place must keep
    /// rises.
    BURSAR_HD std::int64_t add(std::uint32_t place, std::int64_t at_ms, std::int64_t amount) {
        const std::int64_t before = largest(place, at_ms);
        std::uint32_t* link = find(place, at_ms, amount);
        if (*link == 0)
            *link = new_need({at_ms, amount, place, 0, 0});
        ++needs_[*link - 1].num_jobs;
        return amount > before ? amount - before : 0;
    }
    /// Removes the need of a job. Returns by how much the capacity that the place must keep falls.
    BURSAR_HD std::int64_t drop(std::uint32_t place, std::int64_t at_ms, std::int64_t amount) {
        std::uint32_t* link = find(place, at_ms, amount);
        assert(*link != 0);
        Need& need = needs_[*link - 1];
        if (--need.num_jobs == 0) {
            const std::uint32_t freed = *link;
            *link = need.next;
            need.next = first_free_;
            first_free_ = freed;
        }
        const std::int64_t left = largest(place, at_ms);
        return amount > left ? amount - left : 0;
    }

  private:
    struct Need {
        std::int64_t at_ms{};
        std::int64_t amount{};
        std::uint32_t place{};
        std::uint32_t num_jobs{};
        std::uint32_t next{}; ///< 1 + its place in needs_; 0: the last of its bucket
    };

    [[nodiscard]] BURSAR_HD std::uint32_t& bucket_of(std::uint32_t place, std::int64_t at_ms) {
        std::uint64_t hash = static_cast<std::uint64_t>(at_ms) * 0x9e3779b97f4a7c15U + place;
        hash = (hash ^ hash >> 32U) * 0x9e3779b97f4a7c15U;
        return buckets_[(hash >> 32U) % max_needs_];
    }
    /// The link to an entry, or the last one of its bucket.
    [[nodiscard]] BURSAR_HD std::uint32_t*
    find(std::uint32_t place, std::int64_t at_ms, std::int64_t amount) {
        std::uint32_t* link = &bucket_of(place, at_ms);
        while (*link != 0) {
            Need& need = needs_[*link - 1];
            if (need.place == place && need.at_ms == at_ms && need.amount == amount)
                break;
            link = &need.next;
        }
        return link;
    }
    [[nodiscard]] BURSAR_HD std::int64_t largest(std::uint32_t place, std::int64_t at_ms) {
        std::int64_t most = 0;
        for (std::uint32_t at = bucket_of(place, at_ms); at != 0; at = needs_[at - 1].next) {
            const Need& need = needs_[at - 1];
            if (need.place == place && need.at_ms == at_ms && need.amount > most)
                most = need.amount;
        }
        return most;
    }
    BURSAR_HD std::uint32_t new_need(const Need& need) {
        std::uint32_t at = first_free_;
        if (at != 0) {
            first_free_ = needs_[at - 1].next;
        } else {
            at = ++num_used_;
            assert(at <= max_needs_);
        }
        needs_[at - 1] = need;
        return at;
    }

    std::uint32_t max_needs_{};
    std::uint32_t* buckets_{};
    Need* needs_{};
    std::uint32_t num_used_{};
    std::uint32_t first_free_{}; ///< 1 + its place; 0: none was given back
};

}} // namespace bursar::sim
