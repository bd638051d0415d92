#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/units/units.hpp"

#include "sim/ledger/held_time.hpp"
#include "sim/ledger/leaf.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// What one cell of a ledger has of one bucket of time.
struct BucketCell {
    std::uint32_t bucket{}; ///< from 0 on
    std::uint32_t cell{};   ///< as of Outcome::cells
    SlotTime held{};
    Money cost{}; ///< zero where the price of the pool is constant: its rate times `held`

    friend bool operator==(const BucketCell&, const BucketCell&) = default;
};

/// Buckets that time is divided into: one ends where the next begins.
struct BucketWidth {
    Duration width{};  ///< > 0
    Duration origin{}; ///< where bucket 0 begins, <= 0

    [[nodiscard]] std::uint32_t at(std::int64_t time_ms) const {
        return static_cast<std::uint32_t>((time_ms - origin.count()) / width.count());
    }
    [[nodiscard]] std::int64_t end_ms(std::uint32_t bucket) const {
        return origin.count() + (bucket + std::int64_t{1}) * width.count();
    }
};

/// What a bucket has of a stretch at work, and of that what saves took.
struct StretchPart {
    std::uint32_t bucket{};
    HeldTime held;
    HeldTime saved;
};

/// Divides what the saves of a whole stretch cost among its parts, whose saved.ms are set: each has
/// the share of its own cost that they have of its time, as far as those add up to `cost`. What is
/// missing to it comes out of all parts' work alike, and what is too much goes there: a stretch is
/// booked by its time, wherever its dear hours lie (share_of). With a price that stays the same,
/// each part costs its time. cost: of one slot, 0 .. what all parts cost.
void share_saves(Money cost, std::vector<StretchPart>& parts);

/// A ledger divided by time.
struct DividedLedger {
    BucketWidth buckets;
    std::vector<BucketCell> cells; ///< what has something, by bucket and cell
};

/// What a ledger books, bucket by bucket of time: its cells are the sums over all buckets, exactly.
/// Work is where it was done, also if it is lost later.
///
/// Takes some 70 bytes for each bucket and cell that has something. Where there would be more than
/// max_buckets, they become wider. On the host.
class BucketLedger {
  public:
    static constexpr std::uint32_t max_buckets = 4096;
    static constexpr std::int64_t widening = 24; ///< hours become days

    explicit BucketLedger(BucketWidth buckets) : buckets_{buckets} {}

    /// What takes bookings of one bucket: Books, for the functions that bill work.
    class Bucket {
      public:
        using Held = HeldTime;

        Bucket(BucketLedger& all, const Ledger& ledger, std::uint32_t number)
            : all_{all}, ledger_{ledger}, number_{number} {}

        void book(PoolId pool, TenantId tenant, Leaf leaf, std::int64_t slots, const Held& held) {
            all_.add(number_, ledger_.cell(pool, tenant, leaf), slots, held);
        }

      private:
        BucketLedger& all_;
        const Ledger& ledger_;
        std::uint32_t number_;
    };

    /// Work of a job that may still come to nothing (see ProvisionalWork).
    struct KeptWork {
        std::uint32_t bucket{};
        std::uint32_t level{};
        PoolId pool{};
        HeldTime worked;
    };

    /// Calls `act(bucket, begin_ms, end_ms)` for each part of [begin, end), 0 <= begin < end.
    template <class Act>
    void each_part(std::int64_t begin_ms, std::int64_t end_ms, const Act& act) {
        while (buckets_.at(end_ms - 1) >= max_buckets)
            widen();
        for (std::uint32_t bucket = buckets_.at(begin_ms); begin_ms < end_ms; ++bucket) {
            const std::int64_t until = std::min(buckets_.end_ms(bucket), end_ms);
            act(bucket, begin_ms, until);
            begin_ms = until;
        }
    }

    void keep(JobId job, const KeptWork& work) { kept_[job].push_back(work); }
    /// What was kept of a job, which is forgotten.
    [[nodiscard]] std::vector<KeptWork> take_kept(JobId job);

    /// All of it; nothing is left.
    [[nodiscard]] DividedLedger take();

  private:
    struct Sum {
        SlotTime held{};
        Money cost{};
    };

    void widen();
    void add(std::uint32_t bucket, std::size_t cell, std::int64_t slots, const HeldTime& held);

    BucketWidth buckets_;
    std::vector<std::unordered_map<std::uint32_t, Sum>> rows_;      ///< by bucket, then by cell
    std::unordered_map<std::uint32_t, std::vector<KeptWork>> kept_; ///< by job
};

}} // namespace bursar::sim
