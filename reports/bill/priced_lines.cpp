#include "reports/bill/priced_lines.hpp"

#include <algorithm>

#include "reports/bill/fleet.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr int128 slot_ms_per_unit = slot_ms_per_gpu_hour / 10'000; ///< of the hours printed here
constexpr unsigned least_places = 4;
constexpr unsigned most_places = 9;

/// Decimals of a rate for which its rounding, times the hours, is less than half a cent.
unsigned places_for(SlotTime held) {
    unsigned places = 2;
    for (int128 hours = held.count() / slot_ms_per_gpu_hour; hours > 0; hours /= 10)
        ++places;
    return std::clamp(places, least_places, most_places);
}

/// hours: as they are printed, in ten-thousandths.
PricedLine line_of(const BillRow& row, int128 hours) {
    return {row.label,
            grouped_text(hours, 4),
            grouped_text(row.hours_permille, 1),
            mean_rate_text(row.held, row.cost),
            grouped_text(row.usd_cents, 2),
            grouped_text(row.usd_permille, 1)};
}

} // namespace

std::string mean_rate_text(SlotTime held, Money cost) {
    if (held <= SlotTime{})
        return "";
    const auto nano = static_cast<std::int64_t>(cost.count() / held.count());
    if (cost.count() % held.count() == 0)
        return rate_text(MoneyRate{nano});
    const unsigned places = places_for(held);
    int128 nano_per_unit = 1;
    for (unsigned place = places; place < most_places; ++place)
        nano_per_unit *= 10;
    return grouped_text(divide_half_up(cost.count(), held.count() * nano_per_unit), places);
}

std::vector<PricedLine> priced_lines(const std::vector<BillRow>& rows, const BillRow& paid) {
    std::vector<int128> held;
    for (const BillRow& row : rows)
        held.push_back(row.held.count());
    const int128 all = divide_half_up(paid.held.count(), slot_ms_per_unit);
    const std::vector<int128> hours = largest_remainder(held, slot_ms_per_unit, all);
    std::vector<PricedLine> out;
    for (std::size_t i = 0; i < rows.size(); ++i)
        out.push_back(line_of(rows[i], hours[i]));
    out.push_back(line_of(paid, all));
    return out;
}

std::vector<PricedLine> lone_lines(const std::vector<BillRow>& rows) {
    std::vector<PricedLine> out;
    for (const BillRow& row : rows)
        out.push_back(line_of(row, divide_half_up(row.held.count(), slot_ms_per_unit)));
    return out;
}

}} // namespace bursar::reports
