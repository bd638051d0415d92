#include <map>
#include <numeric>
#include <regex>
#include <span>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reports/bill/bill_table.hpp"
#include "reports/bill/fleet.hpp"
#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/scalars/scalar_text.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/decimal.hpp"

#include "tests/properties.hpp"
#include "tests/reports/support/csv.hpp"
#include "tests/reports/support/random_result.hpp"

namespace bursar::properties_test {
namespace {

constexpr std::array every_sharing{
    ShareIdle::none, ShareIdle::even, ShareIdle::usage, ShareIdle::quota};

std::string rendered(const Result& result, std::string_view output, const OutputOptions& options) {
    StringSink sink;
    find_output(output)->write(result, options, sink);
    return sink.text();
}

/// A printed decimal in millionths.
std::int64_t micro(const std::string& decimal) {
    const std::size_t point = std::min(decimal.find('.'), decimal.size());
    std::string fraction = point < decimal.size() ? decimal.substr(point + 1) : "";
    RC_ASSERT(fraction.size() <= 6U);
    fraction.resize(6, '0');
    return std::stoll(decimal.substr(0, point) + fraction);
}

/// A number of summary.json in millionths; below 2^53 of them the double is exact enough.
std::int64_t json_micro(const nlohmann::json& value) {
    return static_cast<std::int64_t>(std::llround(value.get<double>() * 1e6));
}

std::int64_t column_sum(const std::vector<std::vector<std::string>>& rows, std::size_t column) {
    std::int64_t sum = 0;
    for (std::size_t row = 1; row < rows.size(); ++row)
        sum += micro(rows[row][column]);
    return sum;
}

int128 sum_of(std::span<const int128> values) {
    return std::accumulate(values.begin(), values.end(), int128{0});
}

} // namespace

TEST_CASE("printed cells add up to leaves, leaves to paid, paid and other costs to the total") {
    CHECK(check_property("invariants 1 and 3, at the finest level", [] {
        const Result result = test::random_result();
        const LeafSums sums = leaf_sums(result);
        const PrintedBill bill = print_bill(result);
        std::array<int128, num_leaves> usd{};
        std::array<int128, num_leaves> hours{};
        for (std::size_t i = 0; i < result.cells.size(); ++i) {
            usd[static_cast<std::size_t>(result.cells[i].leaf)] += bill.cell_usd[i];
            hours[static_cast<std::size_t>(result.cells[i].leaf)] += bill.cell_hours[i];
        }
        RC_ASSERT(usd == bill.leaf_usd);
        RC_ASSERT(hours == bill.leaf_hours);
        RC_ASSERT(std::accumulate(usd.begin(), usd.end(), int128{0}) == bill.paid_usd);
        RC_ASSERT(std::accumulate(hours.begin(), hours.end(), int128{0}) == bill.paid_hours);
        RC_ASSERT(bill.paid_usd + sum_of(bill.other_usd) == bill.total_usd);
        RC_ASSERT(sum_of(purchase_usd(result, bill)) == bill.total_usd);
        for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
            const int128 off = bill.leaf_usd[leaf] * money_per_micro_usd - sums.cost[leaf].count();
            RC_ASSERT(off < 2 * money_per_micro_usd);
            RC_ASSERT(-off < 2 * money_per_micro_usd);
        }
    }));
}

TEST_CASE("the bill adds up under every grouping, order and length") {
    CHECK(check_property("invariant 3, for people", [] {
        const Result result = test::random_result();
        OutputOptions options;
        options.group_by = GroupBy(drawn::in_range(0, 7));
        options.sort = SortBy(drawn::in_range(0, 3));
        options.share_idle = drawn::element_of(every_sharing);
        if (drawn::boolean())
            options.top = drawn::in_range<std::size_t>(0, 5);
        options.all = drawn::boolean();
        const BillTable table = bill_table(result, options);
        BillRow sum = table.paid;
        BillRow leaves = table.paid;
        for (const BillRow& row : table.rows) {
            BillRow& rest = row.is_leaf ? leaves : sum;
            rest.hours_tenths -= row.hours_tenths;
            rest.usd_cents -= row.usd_cents;
            rest.hours_permille -= row.hours_permille;
            rest.usd_permille -= row.usd_permille;
            RC_ASSERT(row.hours_tenths >= 0);
            RC_ASSERT(row.usd_cents >= 0);
        }
        RC_ASSERT(sum.hours_tenths == 0);
        RC_ASSERT(sum.usd_cents == 0);
        RC_ASSERT(sum.hours_permille == 0);
        RC_ASSERT(sum.usd_permille == 0);
        if (options.group_by == GroupBy::group && options.all) {
            RC_ASSERT(leaves.hours_tenths == 0);
            RC_ASSERT(leaves.usd_cents == 0);
            RC_ASSERT(leaves.hours_permille == 0);
            RC_ASSERT(leaves.usd_permille == 0);
        }
        int128 total = table.paid.usd_cents;
        for (const BillRow& other : table.other_costs)
            total += other.usd_cents;
        RC_ASSERT(total == table.total_cents);
        RC_ASSERT(sum_of(table.by_purchase) == table.total_cents);
        // The coarser total is the finer one rounded, from the same numerator.
        const int128 micro_total = print_bill(result).total_usd;
        RC_ASSERT(table.total_cents * 10'000 - micro_total <= 5'000);
        RC_ASSERT(micro_total - table.total_cents * 10'000 <= 5'000);
    }));
}

TEST_CASE("share, goodput and allocation each have one figure in all formats") {
    CHECK(check_property("one rule of rounding", [] {
        const Result result = test::random_result();
        const Ratios all = ratios(leaf_sums(result));
        OutputOptions options;
        options.all = true;
        const BillTable table = bill_table(result, options);
        int128 allocated = 0;
        std::map<std::string, BillRow> under_groups;
        for (const BillRow& row : table.rows) {
            if (row.is_leaf)
                under_groups[row.label] = row;
            else if (row.label == group_title(LeafGroup::productive))
                RC_ASSERT(row.hours_permille == all.goodput->permille());
            if (!row.is_leaf && row.label != group_title(LeafGroup::idle) &&
                row.label != group_title(LeafGroup::unavailable))
                allocated += row.hours_permille;
        }
        RC_ASSERT(allocated == all.allocation->permille());
        options.group_by = GroupBy::leaf;
        for (const BillRow& row : bill_table(result, options).rows) {
            const auto* const leaf = std::ranges::find(leaf_names, row.label);
            const BillRow& same = under_groups[leaf_title(Leaf(leaf - leaf_names.begin()))];
            RC_ASSERT(row.hours_permille == same.hours_permille);
            RC_ASSERT(row.usd_permille == same.usd_permille);
            RC_ASSERT(row.hours_tenths == same.hours_tenths);
            RC_ASSERT(row.usd_cents == same.usd_cents);
        }
        for (const Scalar& scalar : scalars(result))
            if (scalar.name == "ratios.goodput" || scalar.name == "ratios.allocation")
                RC_ASSERT(scalar_text(*scalar.value, ScalarKind::ratio) ==
                          grouped_text(scalar.name.ends_with("goodput") ? all.goodput->permille()
                                                                        : allocated,
                                       1) +
                              " %");
    }));
}

TEST_CASE("every pool of the fleet costs its GPUs x its hours x its rate, in every format") {
    CHECK(check_property("fleet", [] {
        const Result result = test::random_result();
        const auto fleet = nlohmann::json::parse(rendered(result, "json", {}))["fleet"];
        RC_ASSERT(fleet.size() == result.pools.size());
        std::int64_t cost = 0;
        for (std::size_t p = 0; p < fleet.size(); ++p) {
            const ResultPool& pool = result.pools[p];
            RC_ASSERT(fleet[p]["pool"] == pool.name);
            RC_ASSERT(fleet[p]["gpus"] == pool.num_gpus());
            const double hours = fleet[p]["hours"].get<double>() * double(pool.num_gpus());
            RC_ASSERT(std::abs(hours - fleet[p]["gpu_hours"].get<double>()) < 0.01);
            const auto& rate = fleet[p]["usd_per_gpu_hour"];
            const double usd = rate.is_null() ? 0 : hours * rate.get<double>();
            RC_ASSERT(std::abs(usd - fleet[p]["cost"].get<double>()) < 0.1);
            RC_ASSERT(fleet[p].contains("usd_per_gpu_hour_min") == pool.price.varies());
            cost += json_micro(fleet[p]["cost"]);
        }
        RC_ASSERT(cost == micro(micro_text(print_bill(result).paid_usd)));
        const auto rows = fleet_rows(result);
        for (const FleetRow& row : rows)
            RC_ASSERT(row.to >= row.from);
    }));
}

TEST_CASE("JSON and the CSV files agree") {
    CHECK(check_property("invariant 3, across files", [] {
        const Result result = test::random_result();
        const auto summary = nlohmann::json::parse(rendered(result, "json", {}));
        const auto cells = test::parse_csv(rendered(result, "csv", {}));
        const auto tenants = test::parse_csv(rendered(result, "tenants", {}));
        for (const std::vector<std::string>& row : tenants)
            RC_ASSERT(row.size() == tenants.front().size());
        const std::int64_t hours = json_micro(summary["gpu_hours"]["paid"]);
        const std::int64_t usd = json_micro(summary["cost"]["paid"]);
        RC_ASSERT(column_sum(cells, 7) == hours);
        RC_ASSERT(column_sum(cells, 8) == usd);
        RC_ASSERT(column_sum(tenants, 3) == hours);
        RC_ASSERT(column_sum(tenants, 4) == usd);
        std::map<std::string, std::int64_t> by_leaf;
        for (std::size_t row = 1; row < cells.size(); ++row)
            by_leaf[cells[row][5]] += micro(cells[row][8]);
        std::int64_t leaves = 0;
        for (const auto& [leaf, cost] : summary["cost"]["by_leaf"].items()) {
            RC_ASSERT(json_micro(cost) == by_leaf[leaf]);
            leaves += json_micro(cost);
        }
        RC_ASSERT(leaves == usd);
        RC_ASSERT(summary["cost"]["by_leaf"].size() == num_leaves);
    }));
}

TEST_CASE("every format prints the same total") {
    CHECK(check_property("invariant 3, across formats", [] {
        Result result = test::random_result();
        result.repeats.reset(); // else the total for people is a mean over the seeds
        const BillTable bill = bill_table(result, {});
        const std::string total = grouped_text(bill.total_cents, 2);
        const std::string paid = grouped_text(bill.paid.usd_cents, 2);
        const std::string in_table = rendered(result, "table", {});
        RC_ASSERT(std::regex_search(in_table, std::regex{"\n *TOTAL +" + total + "\\b"}));
        RC_ASSERT(std::regex_search(in_table,
                                    std::regex{"\n *paid +[0-9,.]+ +[0-9.]+ +" + paid + "\\b"}));
        const std::string markdown = rendered(result, "markdown", {});
        RC_ASSERT(markdown.find("| **TOTAL** |  |  | " + total + " |") != std::string::npos);
        RC_ASSERT(rendered(result, "html", {}).find(total) != std::string::npos);
        for (const char* by : {"pool", "purchase", "month", "tenant"}) {
            const std::size_t table = markdown.find(std::string{"\n## Cost by "} + by + "\n");
            if (table == std::string::npos) // no months
                continue;
            const std::size_t sum = markdown.find("\n| **paid** | ", table);
            const std::string line = markdown.substr(sum + 1, markdown.find('\n', sum + 1) - sum);
            RC_ASSERT(line.find(" | " + paid + " | ") != std::string::npos);
        }
        const auto summary = nlohmann::json::parse(rendered(result, "json", {}));
        const std::int64_t usd = json_micro(summary["cost"]["total"]);
        RC_ASSERT(usd == micro(micro_text(print_bill(result).total_usd)));
        RC_ASSERT(std::abs(usd - static_cast<std::int64_t>(bill.total_cents) * 10'000) <= 5'000);
        std::int64_t months = 0;
        for (const auto& month : summary["months"])
            months += json_micro(month["cost"]);
        RC_ASSERT((summary["months"].empty() || months == json_micro(summary["cost"]["paid"])));
    }));
}

TEST_CASE("tenants add up to what was paid in every sharing mode") {
    CHECK(check_property("invariant 4", [] {
        const Result result = test::random_result();
        const LeafSums sums = leaf_sums(result);
        const PrintedBill bill = print_bill(result);
        const auto alone = tenant_shares(result, bill, ShareIdle::none);
        for (const ShareIdle mode : every_sharing) {
            const auto rows = tenant_shares(result, bill, mode);
            TenantShare sum;
            for (std::size_t row = 0; row < rows.size(); ++row) {
                sum.held += rows[row].held;
                sum.cost += rows[row].cost;
                sum.printed_hours += rows[row].printed_hours;
                sum.printed_usd += rows[row].printed_usd;
                RC_ASSERT(rows[row].held >= SlotTime{});
                if (row < result.tenants.size()) // sharing only adds to a tenant
                    RC_ASSERT(rows[row].cost >= alone[row].cost);
            }
            RC_ASSERT((sum.held == sums.paid() && sum.cost == sums.paid_cost()));
            RC_ASSERT(sum.printed_hours == bill.paid_hours);
            RC_ASSERT(sum.printed_usd == bill.paid_usd);
        }
    }));
}

TEST_CASE("goodput is allocation x runtime goodput x program goodput") {
    CHECK(check_property("invariant 5", [] {
        const Ratios all = ratios(leaf_sums(test::random_result()));
        // The whole of each fraction is the part of the one before it; after a part of zero there
        // is no further fraction.
        const auto follows = [](const auto& next, const auto& one) {
            return next ? one && next->whole == one->part : !one || one->part == 0;
        };
        RC_ASSERT(follows(all.runtime_goodput, all.allocation));
        RC_ASSERT(follows(all.program_goodput, all.runtime_goodput));
        RC_ASSERT(all.goodput.has_value() == all.allocation.has_value());
        if (all.goodput)
            RC_ASSERT(all.goodput->whole == all.allocation->whole);
        if (all.program_goodput)
            RC_ASSERT(all.goodput->part == all.program_goodput->part);
    }));
}

TEST_CASE("a table with fewer rows shows the same figures in them") {
    CHECK(check_property("filters change no row's value", [] {
        const Result result = test::random_result();
        OutputOptions options;
        options.group_by = GroupBy::leaf;
        const BillTable full = bill_table(result, options);
        options.top = drawn::in_range<std::size_t>(0, 10);
        const BillTable shorter = bill_table(result, options);
        for (std::size_t row = 0; row < std::min(*options.top, full.rows.size()); ++row)
            RC_ASSERT(shorter.rows[row] == full.rows[row]);
        RC_ASSERT(shorter.paid == full.paid);
    }));
}

TEST_CASE("averages over buckets keep the time that was allocated") {
    CHECK(check_property("timeline buckets", [] {
        Result result = test::random_result();
        if (!result.timeline.time_ms.empty())
            result.end = Duration{result.timeline.time_ms.back() + 1};
        std::vector<int128> expected(result.pools.size());
        std::vector<std::pair<std::int64_t, std::int64_t>> state(result.pools.size());
        for (std::size_t row = 0; row < result.timeline.size(); ++row) {
            auto& [since, slots] = state[result.timeline.pool[row]];
            expected[result.timeline.pool[row]] +=
                int128{result.timeline.time_ms[row] - since} * slots;
            since = result.timeline.time_ms[row];
            slots = result.timeline.allocated_slots[row];
        }
        int128 total = 0;
        for (std::size_t p = 0; p < state.size(); ++p)
            total += expected[p] + int128{result.end.count() - state[p].first} * state[p].second;

        OutputOptions options;
        options.bucket = Duration{result.end.count() / drawn::in_range(1, 20) + 1};
        const auto rows = test::parse_csv(rendered(result, "timeline", options));
        int128 got = 0;
        std::size_t row = 1;
        for (Duration begin{}; begin < result.end; begin += *options.bucket) {
            const Duration span = std::min(*options.bucket, result.end - begin);
            for (std::size_t p = 0; p < result.pools.size(); ++p, ++row)
                got += int128{micro(rows[row][3])} * span.count();
        }
        RC_ASSERT(row == rows.size());
        // Each printed average is rounded by at most half a millionth.
        const int128 off = got - total * (1'000'000 / slots_per_gpu);
        const int128 max = int128{result.end.count()} * static_cast<std::int64_t>(state.size());
        RC_ASSERT((off <= max && -off <= max));
    }));
}

} // namespace bursar::properties_test
