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

/// What one cell of a ledger holds in one bucket of time.
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

/// The part of a stretch at work that lies in a bucket, and the saves within it.
struct StretchPart {
    std::uint32_t bucket{};
    HeldTime held;
    HeldTime saved;
};

/// Divides `cost`, the cost of the saves of a whole stretch, among its parts, whose saved.ms are
/// set. Each part gets the fraction of its own cost that its saves have of its time. The whole
/// stretch was split by time alone (share_of). So if these do not add up to `cost`, the difference
/// moves between saves and work in proportion. cost: of one slot, 0 .. the cost of all parts.
void share_saves(Money cost, std::vector<StretchPart>& parts);

/// A ledger divided by time.
struct DividedLedger {
    BucketWidth buckets;
    std::vector<BucketCell> cells; ///< those that are not empty, by bucket and cell
};

/// The bookings of a ledger by bucket of time; the ledger's cells are exactly the sums over all
/// buckets. Work is booked in the bucket in which it was done, even if it is lost later.
///
/// Takes about 70 bytes for each non-empty cell of a bucket. Buckets become wider when there would
/// be more than max_buckets. Host only.
class BucketLedger {
  public:
    static constexpr std::uint32_t max_buckets = 4096;
    static constexpr std::int64_t widening = 24; ///< hours become days

    explicit BucketLedger(BucketWidth buckets) : buckets_{buckets} {}

    /// Books into one bucket: the `Books` argument of the functions that bill work.
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

    /// Work of a job that may still be lost (see ProvisionalWork).
    struct KeptWork {
        std::uint32_t bucket{};
        WorkPlace place{};
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
    /// Removes and returns the kept work of a job.
    [[nodiscard]] std::vector<KeptWork> take_kept(JobId job);

    /// Removes and returns all buckets.
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
