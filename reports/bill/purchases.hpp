#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/int128.hpp"

#include "reports/bill/printed_bill.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What a run cost by how its capacity was bought, and last what is no GPU time.
inline constexpr std::size_t num_purchases = purchase_names.size() + 1;
using PurchaseFigures = std::array<int128, num_purchases>;

[[nodiscard]] constexpr std::string_view purchase_key(std::size_t i) {
    return i < purchase_names.size() ? purchase_names[i] : "other";
}

/// In millionths of a dollar; they add up to bill.total_usd. bill: of the result.
[[nodiscard]] PurchaseFigures purchase_usd(const Result& result, const PrintedBill& bill);

/// In cents, by largest remainder; they add up to paid_cents + other_cents. paid_cents: the printed
/// sum of GPU time.
[[nodiscard]] PurchaseFigures
purchase_cents(const Result& result, int128 paid_cents, int128 other_cents);

/// "owned 145,920.00 USD, on demand 407,930.22, other 12.50"; empty where there are not two of
/// them.
[[nodiscard]] std::string purchases_sentence(const PurchaseFigures& cents);

}} // namespace bursar::reports
