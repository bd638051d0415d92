#include "reports/result/add_periods.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>

#include "reports/errors/report_error.hpp"
#include "reports/result/check_books.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr unsigned low_bits = 40; ///< of a cost, in a separate column

void add_cost(int128 cost, PeriodColumns& out) {
    const auto magnitude = static_cast<uint128>(cost);
    out.cost_high.push_back(static_cast<std::uint64_t>(magnitude >> low_bits));
    out.cost_low.push_back(static_cast<std::uint64_t>(magnitude) &
                           ((std::uint64_t{1} << low_bits) - 1));
}

void add_held(SlotTime held, PeriodColumns& out) {
    const auto slot_ms = static_cast<uint128>(held.count());
    out.slot_ms_high.push_back(static_cast<std::uint64_t>(slot_ms >> PeriodColumns::low_held_bits));
    out.slot_ms.push_back(static_cast<std::uint64_t>(slot_ms) &
                          ((std::uint64_t{1} << PeriodColumns::low_held_bits) - 1));
}

} // namespace

BucketWidth hours_from(const std::optional<std::int64_t>& zero_utc_ms) {
    const std::int64_t since_midnight = zero_utc_ms ? *zero_utc_ms % day.count() : 0;
    return {hour, Duration{since_midnight < 0 ? -day.count() - since_midnight : -since_midnight}};
}

void add_periods(const DividedLedger& divided, const Outcome& outcome, Result& result) {
    assert(outcome.fingerprint == result.fingerprint);
    if (divided.cells.empty())
        return;
    std::vector<std::uint32_t> place(
        outcome.cells.size()); // of a cell of the run among the result's
    for (std::uint32_t i = 0; i < result.cells.size(); ++i) {
        const ResultCell& cell = result.cells[i];
        place[outcome.index(cell.pool, cell.tenant.value_or(outcome.num_tenants), cell.leaf)] = i;
    }
    const bool varies = std::ranges::any_of(
        result.pools, [](const ResultPool& pool) { return pool.price.varies(); });
    PeriodColumns& out = result.periods;
    out.width = divided.buckets.width;
    out.origin = divided.buckets.origin;
    for (const BucketCell& part : divided.cells) {
        const std::uint32_t cell = place[part.cell];
        out.bucket.push_back(part.bucket);
        out.cell.push_back(cell);
        add_held(part.held, out);
        const auto rate = result.pools[result.cells[cell].pool].price.rate();
        if (varies)
            add_cost(rate ? (*rate * part.held).count() : part.cost.count(), out);
    }
    if (std::ranges::count(out.slot_ms_high, 0U) == std::ssize(out.slot_ms_high))
        out.slot_ms_high.clear();
    if (const std::string mistake = mistake_in_books(result); !mistake.empty())
        throw ReportError{"a defect of bursar: " + mistake};
}

}} // namespace bursar::reports
