#pragma once

#include <string>
#include <vector>

#include "models/units/int128.hpp"

#include "reports/bill/purchases.hpp"
#include "reports/outputs/options.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// One line of the bill for people.
struct BillRow {
    std::string label;     ///< as in the result, not escaped
    int128 hours_tenths{}; ///< GPU-hours, tenths
    int128 usd_cents{};
    int128 hours_permille{}; ///< of the paid GPU-hours
    int128 usd_permille{};   ///< of the dollars paid for them
    std::string note;        ///< the largest leaves of a group: "comm 3.1, input 1.2"
    bool is_leaf{false};     ///< under its group
    SlotTime held{};         ///< exact
    Money cost{};

    /// Its share of what was paid for, as notes of leaves have it: of the dollars, or of the
    /// GPU-hours where these cost nothing.
    [[nodiscard]] int128 noted_permille(const BillRow& paid) const {
        return paid.cost == Money{} ? hours_permille : usd_permille;
    }

    bool operator==(const BillRow&) const = default;
};

/// The bill for people, as the terminal and Markdown show it. Its figures are coarser than those
/// of the files, so they are apportioned again from the exact numerators: the total is rounded half
/// up once, then total -> paid and other costs -> rows -> leaves by largest remainder. Hence
/// the rows add up to `paid`, and paid and other costs to `total_cents`, as printed.
struct BillTable {
    std::vector<BillRow> rows;
    std::vector<std::string> empty_groups; ///< groups with nothing in them, left out of `rows`
    BillRow paid;
    std::vector<BillRow> other_costs; ///< USD only
    PurchaseFigures by_purchase{};    ///< cents, which add up to total_cents
    int128 total_cents{};

    bool operator==(const BillTable&) const = default;
};

/// Rows are leaf groups (productive first), or what `options.group_by` says, ordered by
/// `options.sort` (months by time) with the tail after `options.top` summed up as "other (n)";
/// `__idle__` and
/// `__platform__` stay beside the tenants and are not counted. Rows of nothing are left out unless
/// `options.all`.
[[nodiscard]] BillTable bill_table(const Result& result, const OutputOptions& options);

/// A leaf or group for people: "no demand", "productive".
[[nodiscard]] std::string leaf_title(Leaf leaf);
[[nodiscard]] std::string_view group_title(LeafGroup group);

}} // namespace bursar::reports
