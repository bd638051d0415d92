#include "sim/ledger/bucket_ledger.hpp"

#include <algorithm>
#include <utility>

namespace bursar { inline namespace sim {
namespace {

/// whole x part / all, rounded down where the parts are too large for the product, too; `whole` for
/// part == all. 0 <= part <= all, all > 0.
int128 in_proportion(int128 whole, int128 part, int128 all) {
    while (all >= int128{1} << 62U) {
        all >>= 1U;
        part >>= 1U;
    }
    return whole / all * part + whole % all * part / all;
}

/// Adds `rest` to the cost of saves in proportion to `room(part)`, at most that much to each part.
template <class Room>
void add_in_proportion(int128 rest, std::vector<StretchPart>& parts, int sign, const Room& room) {
    int128 all = 0;
    for (const StretchPart& part : parts)
        all += room(part);
    int128 seen = 0;
    int128 given = 0;
    const int128 whole = rest;
    for (StretchPart& part : parts) {
        const int128 most = room(part);
        seen += most;
        const int128 due = most == 0 ? 0 : in_proportion(whole, seen, all) - given;
        const int128 more = std::min(due, most);
        part.saved.cost += Money{sign * more};
        given += more;
    }
    rest -= given; // remainder of rounding
    for (StretchPart& part : parts) {
        const int128 more = std::min(rest, room(part));
        part.saved.cost += Money{sign * more};
        rest -= more;
    }
}

} // namespace

void share_saves(Money cost, std::vector<StretchPart>& parts) {
    int128 rest = cost.count();
    for (StretchPart& part : parts) {
        part.saved = share_of(part.held, part.saved.ms);
        rest -= part.saved.cost.count();
    }
    if (rest > 0)
        add_in_proportion(rest, parts, 1, [](const StretchPart& part) {
            return (part.held.cost - part.saved.cost).count();
        });
    else if (rest < 0)
        add_in_proportion(
            -rest, parts, -1, [](const StretchPart& part) { return part.saved.cost.count(); });
}

std::vector<BucketLedger::KeptWork> BucketLedger::take_kept(JobId job) {
    auto kept = kept_.extract(job);
    return kept.empty() ? std::vector<KeptWork>{} : std::move(kept.mapped());
}

void BucketLedger::add(std::uint32_t bucket,
                       std::size_t cell,
                       std::int64_t slots,
                       const HeldTime& held) {
    if (bucket >= rows_.size())
        rows_.resize(bucket + std::size_t{1});
    Sum& sum = rows_[bucket][static_cast<std::uint32_t>(cell)];
    sum.held += slot_time(slots, Duration{held.ms});
    sum.cost += held.cost * slots;
}

void BucketLedger::widen() {
    const auto wider = [](std::uint32_t bucket) {
        return bucket / static_cast<std::uint32_t>(widening);
    };
    buckets_.width = Duration{buckets_.width.count() * widening};
    std::size_t num_rows = 0;
    std::uint32_t bucket = 0;
    for (auto& narrow : rows_) {
        std::unordered_map<std::uint32_t, Sum> row = std::move(narrow);
        if (wider(bucket++) == num_rows) {
            rows_[num_rows++] = std::move(row);
            continue;
        }
        for (const auto& [cell, more] : row) {
            Sum& sum = rows_[num_rows - 1][cell];
            sum.held += more.held;
            sum.cost += more.cost;
        }
    }
    rows_.resize(num_rows);
    for (auto& [job, kept] : kept_)
        for (KeptWork& work : kept)
            work.bucket = wider(work.bucket);
}

DividedLedger BucketLedger::take() {
    DividedLedger out{buckets_, {}};
    std::uint32_t bucket = 0;
    for (const auto& row : rows_) {
        const auto first = static_cast<std::ptrdiff_t>(out.cells.size());
        for (const auto& [cell, sum] : row)
            if (sum.held != SlotTime{} || sum.cost != Money{})
                out.cells.push_back({bucket, cell, sum.held, sum.cost});
        std::sort(out.cells.begin() + first,
                  out.cells.end(),
                  [](const BucketCell& a, const BucketCell& b) { return a.cell < b.cell; });
        ++bucket;
    }
    *this = BucketLedger{buckets_};
    return out;
}

void Ledger::divide(PoolId pool,
                    TenantId tenant,
                    Leaf leaf,
                    std::int64_t slots,
                    std::int64_t begin_ms,
                    std::int64_t end_ms) const {
    if (slots == 0 || begin_ms >= end_ms) // outside the window
        return;
    if (leaf == Leaf::unavail_reserved_unlaunched) { // a year's term must not widen a run's hours
        buckets_->each_part(
            begin_ms, begin_ms + 1, [&](std::uint32_t bucket, std::int64_t, std::int64_t) {
                BucketLedger::Bucket{*buckets_, *this, bucket}.book(
                    pool, tenant, leaf, slots, held(pool, begin_ms, end_ms));
            });
        return;
    }
    buckets_->each_part(
        begin_ms, end_ms, [&](std::uint32_t bucket, std::int64_t from_ms, std::int64_t until_ms) {
            BucketLedger::Bucket{*buckets_, *this, bucket}.book(
                pool, tenant, leaf, slots, held(pool, from_ms, until_ms));
        });
}

}} // namespace bursar::sim
