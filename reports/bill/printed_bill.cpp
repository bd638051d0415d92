#include "reports/bill/printed_bill.hpp"

#include <utility>

#include "reports/bill/printed_levels.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {

PrintedBill print_bill(const Result& result) {
    const LeafSums sums = leaf_sums(result);
    PrintedBill out;

    std::vector<int128> charges{sums.paid_cost().count()};
    for (const OtherCost& other : result.run.other_costs)
        charges.push_back(other.cost.count());
    const Money total = sums.paid_cost() + other_cost(result);
    out.total_usd = divide_half_up(total.count(), money_per_micro_usd);
    out.other_usd = largest_remainder(charges, money_per_micro_usd, out.total_usd);
    out.paid_usd = out.other_usd.front();
    out.other_usd.erase(out.other_usd.begin());
    out.paid_hours = divide_half_up(sums.paid().count(), slot_ms_per_micro_gpu_hour);

    std::vector<int128> cost;
    std::vector<int128> held;
    for (const ResultCell& cell : result.cells) {
        cost.push_back(cell.cost.count());
        held.push_back(cell.held.count());
    }
    PrintedLevels usd = print_levels(result, cost, money_per_micro_usd, out.paid_usd);
    PrintedLevels hours = print_levels(result, held, slot_ms_per_micro_gpu_hour, out.paid_hours);
    out.leaf_usd = usd.leaves;
    out.cell_usd = std::move(usd.cells);
    out.leaf_hours = hours.leaves;
    out.cell_hours = std::move(hours.cells);
    return out;
}

}} // namespace bursar::reports
