#include "reports/bill/purchases.hpp"

#include <algorithm>

#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t other = num_purchases - 1;

std::size_t purchase_of(const Result& result, const ResultCell& cell) {
    return static_cast<std::size_t>(result.pools[cell.pool].purchase);
}

} // namespace

PurchaseFigures purchase_usd(const Result& result, const PrintedBill& bill) {
    PurchaseFigures usd{};
    for (std::size_t i = 0; i < result.cells.size(); ++i)
        usd[purchase_of(result, result.cells[i])] += bill.cell_usd[i];
    usd[other] = bill.all_other_usd();
    return usd;
}

PurchaseFigures purchase_cents(const Result& result, int128 paid_cents, int128 other_cents) {
    std::array<int128, other> exact{};
    for (const ResultCell& cell : result.cells)
        exact[purchase_of(result, cell)] += cell.cost.count();
    PurchaseFigures cents{};
    std::ranges::copy(largest_remainder(exact, money_per_usd / 100, paid_cents), cents.begin());
    cents[other] = other_cents;
    return cents;
}

std::string purchases_sentence(const PurchaseFigures& cents) {
    if (std::ranges::count(cents, 0) > static_cast<std::ptrdiff_t>(num_purchases) - 2)
        return "";
    std::string text;
    for (std::size_t i = 0; i < num_purchases; ++i) {
        if (cents[i] == 0)
            continue;
        const bool is_first = text.empty();
        text += is_first ? "" : ", ";
        text += i == other ? purchase_key(i) : purchase_titles[i];
        text += ' ' + grouped_text(cents[i], 2) + (is_first ? " USD" : "");
    }
    return text;
}

}} // namespace bursar::reports
