#include "reports/bill/bill_table.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/months.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr int128 money_per_cent = money_per_usd / 100;
constexpr int128 slot_ms_per_tenth = slot_ms_per_gpu_hour / 10;

constexpr std::array printed_groups{LeafGroup::productive,
                                    LeafGroup::stalled,
                                    LeafGroup::lost,
                                    LeafGroup::overhead,
                                    LeafGroup::idle,
                                    LeafGroup::unavailable};

/// A row before rounding.
struct Part {
    std::string label;
    SlotTime held{};
    Money cost{};
    std::optional<Leaf> leaf{}; ///< where it is one

    [[nodiscard]] bool empty() const { return held == SlotTime{} && cost == Money{}; }
};

struct RoundedPart {
    Part part;
    BillRow row;
};

std::vector<int128> held_in(std::span<const Part> parts) {
    std::vector<int128> held;
    for (const Part& part : parts)
        held.push_back(part.held.count());
    return held;
}

/// Shares of the parts in the paid GPU-hours, which add up to `sum`.
std::vector<int128> hours_permille_of(std::span<const Part> parts, int128 sum, SlotTime paid) {
    return permille_of(held_in(parts), paid.count(), sum);
}

/// Shares of `printed_groups` in the paid GPU-hours. A ratio has one figure wherever it is printed:
/// `productive` is the goodput, and with what else was allocated it is the allocation, each rounded
/// half up; the other groups take what is left of these.
std::vector<int128> hours_permille_of_groups(const LeafSums& sums, std::span<const Part> groups) {
    const Ratios all = ratios(sums);
    if (!all.goodput || !all.allocation)
        return std::vector<int128>(groups.size());
    const int128 goodput = all.goodput->permille();
    const int128 allocation = all.allocation->permille();
    constexpr std::size_t num_allocated = 4;
    std::vector<int128> out{goodput};
    for (const auto& [others, sum] :
         {std::pair{groups.subspan(1, num_allocated - 1), allocation - goodput},
          std::pair{groups.subspan(num_allocated), 1000 - allocation}})
        for (const int128 permille : hours_permille_of(others, sum, sums.paid()))
            out.push_back(permille);
    return out;
}

/// Rounds `parts` so that they add up to `sum`. hours_permille: their shares of the paid GPU-hours.
/// paid_cost: of all that is paid for.
std::vector<RoundedPart> apportioned(const std::vector<Part>& parts,
                                     const BillRow& sum,
                                     const std::vector<int128>& hours_permille,
                                     Money paid_cost) {
    std::vector<int128> cost;
    for (const Part& part : parts)
        cost.push_back(part.cost.count());
    const auto hours = largest_remainder(held_in(parts), slot_ms_per_tenth, sum.hours_tenths);
    const auto usd = largest_remainder(cost, money_per_cent, sum.usd_cents);
    const auto usd_permille = permille_of(cost, paid_cost.count(), sum.usd_permille);
    std::vector<RoundedPart> out;
    for (std::size_t i = 0; i < parts.size(); ++i)
        out.push_back({parts[i],
                       {parts[i].label,
                        hours[i],
                        usd[i],
                        hours_permille[i],
                        usd_permille[i],
                        "",
                        false,
                        parts[i].held,
                        parts[i].cost}});
    return out;
}

/// "comm 3.1, input 1.2": the leaves that show, largest first.
std::string leaf_note(std::vector<BillRow> leaves, const BillRow& paid) {
    std::stable_sort(leaves.begin(), leaves.end(), [&](const BillRow& a, const BillRow& b) {
        return a.noted_permille(paid) > b.noted_permille(paid);
    });
    std::string note;
    for (const BillRow& leaf : leaves) {
        if (leaf.noted_permille(paid) == 0)
            continue;
        if (!note.empty())
            note += ", ";
        note += leaf.label + ' ' + grouped_text(leaf.noted_permille(paid), 1);
    }
    return note;
}

/// The leaves of a group under their own names.
std::vector<Part> leaf_parts(const LeafSums& sums, LeafGroup group) {
    std::vector<Part> out;
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
        if (group_of(static_cast<Leaf>(leaf)) == group)
            out.push_back({std::string{leaf_names[leaf]},
                           sums.held[leaf],
                           sums.cost[leaf],
                           static_cast<Leaf>(leaf)});
    }
    return out;
}

struct Group {
    RoundedPart sum;
    std::vector<RoundedPart> leaves;
};

std::vector<Group> groups_of(const LeafSums& sums, const BillRow& paid) {
    std::vector<Part> parts;
    for (const LeafGroup group : printed_groups) {
        Part& part =
            parts.emplace_back(Part{std::string{group_title(group)}, sums.held_in(group), {}, {}});
        for (const Part& leaf : leaf_parts(sums, group))
            part.cost += leaf.cost;
    }
    std::vector<Group> out;
    for (RoundedPart& sum :
         apportioned(parts, paid, hours_permille_of_groups(sums, parts), paid.cost)) {
        const std::vector<Part> leaves = leaf_parts(sums, printed_groups[out.size()]);
        const auto permille = hours_permille_of(leaves, sum.row.hours_permille, sums.paid());
        out.push_back({std::move(sum), {}});
        out.back().leaves = apportioned(leaves, out.back().sum.row, permille, paid.cost);
    }
    return out;
}

/// The bill by leaf group, with the leaves as notes or, if all are wanted, as rows.
void add_groups(const LeafSums& sums, bool all, BillTable& table) {
    for (const Group& group : groups_of(sums, table.paid)) {
        const Part& sum = group.sum.part;
        if (sum.empty() && !all) {
            table.empty_groups.push_back(sum.label);
            continue;
        }
        table.rows.push_back(group.sum.row);
        std::vector<BillRow> leaves;
        for (const RoundedPart& leaf : group.leaves) {
            leaves.push_back(leaf.row);
            leaves.back().label = leaf_title(*leaf.part.leaf);
            leaves.back().is_leaf = true;
        }
        if (all)
            table.rows.insert(table.rows.end(), leaves.begin(), leaves.end());
        else if (sum.label != group_title(LeafGroup::productive) ||
                 sums.held[static_cast<std::size_t>(Leaf::prod_useful)] != sum.held)
            table.rows.back().note =
                leaf_note(std::move(leaves), table.paid); // all useful needs no note
    }
}

/// Sums the cells by `label(cell)`; rows in order of label.
template <class Label>
std::vector<Part> parts_by(const Result& result, Label label) {
    std::map<std::string, Part> parts;
    for (const ResultCell& cell : result.cells) {
        Part& part = parts[std::string{label(cell)}];
        part.held += cell.held;
        part.cost += cell.cost;
    }
    std::vector<Part> out;
    for (auto& [name, part] : parts) {
        part.label = name;
        out.push_back(std::move(part));
    }
    return out;
}

std::vector<Part> tenant_parts(const Result& result, ShareIdle mode) {
    std::vector<Part> out;
    for (const TenantShare& share : tenant_shares(result, print_bill(result), mode))
        out.push_back({share.name, share.held, share.cost});
    return out;
}

std::vector<Part> month_parts(const Result& result) {
    std::vector<Part> out;
    for (const MonthShare& month : month_shares(result))
        out.push_back({month.name, month.held, month.cost});
    if (out.empty()) {
        const LeafSums sums = leaf_sums(result);
        out.push_back({"no month is known", sums.paid(), sums.paid_cost()});
    }
    return out;
}

std::vector<Part> parts_of(const Result& result, const OutputOptions& options) {
    const auto pool = [&](const ResultCell& cell) -> const ResultPool& {
        return result.pools[cell.pool];
    };
    switch (options.group_by) {
    case GroupBy::pool:
        return parts_by(result, [&](const ResultCell& cell) { return pool(cell).name; });
    case GroupBy::purchase:
        return parts_by(result, [&](const ResultCell& cell) {
            return purchase_titles[static_cast<std::size_t>(pool(cell).purchase)];
        });
    case GroupBy::gpu:
        return parts_by(result, [&](const ResultCell& cell) { return pool(cell).gpu; });
    case GroupBy::tenant:
        return tenant_parts(result, options.share_idle);
    case GroupBy::month:
        return month_parts(result);
    case GroupBy::leaf:
    case GroupBy::group:
        break;
    }
    return {};
}

/// The rows of a grouping other than by group, in no order yet.
std::vector<RoundedPart> rounded_parts(const Result& result,
                                       const OutputOptions& options,
                                       const LeafSums& sums,
                                       const BillRow& paid) {
    if (options.group_by != GroupBy::leaf) {
        const std::vector<Part> parts = parts_of(result, options);
        return apportioned(
            parts, paid, hours_permille_of(parts, paid.hours_permille, sums.paid()), paid.cost);
    }
    std::vector<RoundedPart> out; // as they stand under their groups
    for (Group& group : groups_of(sums, paid))
        std::ranges::move(group.leaves, std::back_inserter(out));
    return out;
}

bool comes_before(const Part& a, const Part& b, SortBy sort) {
    if (sort == SortBy::cost && a.cost != b.cost)
        return a.cost > b.cost;
    if (sort != SortBy::name && a.held != b.held)
        return a.held > b.held;
    return a.label < b.label;
}

/// Sums up the rows after the first `top`, except those of no tenant: `is_special(row)`. All
/// keep their rounding: nothing shown changes.
template <class IsSpecial>
void sum_up_tail(std::size_t top, IsSpecial is_special, std::vector<BillRow>& rows) {
    std::vector<BillRow> shown;
    std::size_t num_counted = 0;
    BillRow other;
    for (BillRow& row : rows) {
        if (is_special(row) || ++num_counted <= top) {
            shown.push_back(std::move(row));
            continue;
        }
        other.hours_tenths += row.hours_tenths;
        other.usd_cents += row.usd_cents;
        other.hours_permille += row.hours_permille;
        other.usd_permille += row.usd_permille;
        other.held += row.held;
        other.cost += row.cost;
    }
    if (num_counted > top) {
        other.label = "other (" + std::to_string(num_counted - top) + ")";
        shown.push_back(std::move(other));
    }
    rows = std::move(shown);
}

void add_parts(std::vector<RoundedPart> parts, const OutputOptions& options, BillTable& table) {
    if (!options.all)
        std::erase_if(parts, [](const RoundedPart& one) { return one.part.empty(); });
    const SortBy sort = options.group_by == GroupBy::month ? SortBy::name : options.sort;
    std::stable_sort(parts.begin(), parts.end(), [&](const RoundedPart& a, const RoundedPart& b) {
        return comes_before(a.part, b.part, sort);
    });
    for (RoundedPart& one : parts)
        table.rows.push_back(std::move(one.row));
    if (!options.top)
        return;
    const bool tenants = options.group_by == GroupBy::tenant;
    const auto is_special = [&](const BillRow& row) {
        return tenants && (row.label == idle_row_name || row.label == platform_row_name);
    };
    sum_up_tail(*options.top, is_special, table.rows);
}

} // namespace

std::string leaf_title(Leaf leaf) {
    if (leaf == Leaf::unavail_reserved_unlaunched)
        return "billed past end";
    const std::string_view name = name_of(leaf);
    std::string title{name.substr(name.find('.') + 1)};
    std::replace(title.begin(), title.end(), '_', ' ');
    return title;
}

std::string_view group_title(LeafGroup group) {
    constexpr std::array<std::string_view, 6> titles{
        "unavailable", "idle", "overhead", "stalled", "lost", "productive"};
    return titles[static_cast<std::size_t>(group)];
}

BillTable bill_table(const Result& result, const OutputOptions& options) {
    const LeafSums sums = leaf_sums(result);
    std::vector<int128> charges{sums.paid_cost().count()};
    for (const OtherCost& other : result.run.other_costs)
        charges.push_back(other.cost.count());
    const Money total = sums.paid_cost() + other_cost(result);

    BillTable table;
    table.total_cents = divide_half_up(total.count(), money_per_cent);
    const auto cents = largest_remainder(charges, money_per_cent, table.total_cents);
    table.paid = {"paid",
                  divide_half_up(sums.paid().count(), slot_ms_per_tenth),
                  cents.front(),
                  sums.paid() > SlotTime{} ? 1000 : 0,
                  sums.paid_cost() > Money{} ? 1000 : 0,
                  "",
                  false,
                  sums.paid(),
                  sums.paid_cost()};
    for (std::size_t i = 0; i < result.run.other_costs.size(); ++i)
        table.other_costs.push_back(
            {result.run.other_costs[i].name, 0, cents[i + 1], 0, 0, "", false});

    table.by_purchase =
        purchase_cents(result, table.paid.usd_cents, table.total_cents - table.paid.usd_cents);

    if (options.group_by == GroupBy::group)
        add_groups(sums, options.all, table);
    else
        add_parts(rounded_parts(result, options, sums, table.paid), options, table);
    return table;
}

}} // namespace bursar::reports
