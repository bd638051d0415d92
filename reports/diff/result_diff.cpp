#include "reports/diff/result_diff.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "reports/bill/bill_table.hpp"
#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/summary/uncertainty.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

/// One result's part of a row.
struct Part {
    std::string name;
    int128 usd{};
    int128 hours{};
    bool is_leaf{};
};

/// How one result's money and time is sorted.
struct Parts {
    std::vector<Part> leaves, other, pools, tenants;
    Part paid{"paid", 0, 0, false};
    Part total{"total", 0, 0, false};
};

/// Rows with equal names side by side: those of the base in their order, then the others.
std::vector<DiffRow> side_by_side(const std::vector<Part>& base,
                                  const std::vector<Part>& fresh,
                                  bool is_gpu_time = true) {
    std::vector<DiffRow> rows;
    std::map<std::pair<std::string, bool>, std::size_t> places;
    const auto row_of = [&](const Part& part) -> DiffRow& {
        const auto [place, is_new] = places.try_emplace({part.name, part.is_leaf}, rows.size());
        if (!is_new)
            return rows[place->second];
        const std::optional<int128> hours = is_gpu_time ? std::optional<int128>{0} : std::nullopt;
        rows.push_back({part.name, part.is_leaf, {0, 0}, {hours, hours}});
        return rows.back();
    };
    const auto add = [&](const std::vector<Part>& parts, std::optional<int128> DiffFigure::*side) {
        for (const Part& part : parts) {
            DiffRow& row = row_of(part);
            *(row.usd.*side) += part.usd;
            if (is_gpu_time)
                *(row.gpu_hours.*side) += part.hours;
        }
    };
    add(base, &DiffFigure::base);
    add(fresh, &DiffFigure::fresh);
    return rows;
}

DiffRows rows_of(const Parts& base, const Parts& fresh) {
    DiffRows rows;
    rows.leaves = side_by_side(base.leaves, fresh.leaves);
    rows.other = side_by_side(base.other, fresh.other, false);
    rows.pools = side_by_side(base.pools, fresh.pools);
    rows.tenants = side_by_side(base.tenants, fresh.tenants);
    rows.paid = side_by_side({base.paid}, {fresh.paid}).front();
    rows.total = side_by_side({base.total}, {fresh.total}, false).front();
    return rows;
}

constexpr std::array groups_downward{LeafGroup::productive,
                                     LeafGroup::stalled,
                                     LeafGroup::lost,
                                     LeafGroup::overhead,
                                     LeafGroup::idle,
                                     LeafGroup::unavailable};

Parts exact_parts(const Result& result) {
    const PrintedBill bill = print_bill(result);
    Parts parts;
    for (const LeafGroup group : groups_downward) {
        const std::size_t at = parts.leaves.size();
        parts.leaves.push_back({std::string{group_title(group)}, 0, 0, false});
        for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
            if (group_of(static_cast<Leaf>(leaf)) != group)
                continue;
            parts.leaves[at].usd += bill.leaf_usd[leaf];
            parts.leaves[at].hours += bill.leaf_hours[leaf];
            parts.leaves.push_back(
                {std::string{leaf_names[leaf]}, bill.leaf_usd[leaf], bill.leaf_hours[leaf], true});
        }
    }
    for (std::size_t i = 0; i < bill.other_usd.size(); ++i)
        parts.other.push_back({result.run.other_costs[i].name, bill.other_usd[i]});
    for (const ResultPool& pool : result.pools)
        parts.pools.push_back({pool.name});
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        parts.pools[result.cells[i].pool].usd += bill.cell_usd[i];
        parts.pools[result.cells[i].pool].hours += bill.cell_hours[i];
    }
    for (const TenantShare& share : tenant_shares(result, bill, ShareIdle::none))
        parts.tenants.push_back({share.name, share.printed_usd, share.printed_hours});
    parts.paid.usd = bill.paid_usd;
    parts.paid.hours = bill.paid_hours;
    parts.total.usd = bill.total_usd;
    return parts;
}

std::vector<Part> shown_parts_by(const Result& result, GroupBy group_by) {
    OutputOptions options;
    options.group_by = group_by;
    options.all = true;
    options.sort = SortBy::name;
    std::vector<Part> parts;
    for (const BillRow& row : bill_table(result, options).rows)
        parts.push_back({row.label, row.usd_cents, row.hours_tenths, row.is_leaf});
    return parts;
}

Parts shown_parts(const Result& result) {
    const BillTable bill = bill_table(result, {});
    Parts parts;
    parts.leaves = shown_parts_by(result, GroupBy::group);
    parts.pools = shown_parts_by(result, GroupBy::pool);
    parts.tenants = shown_parts_by(result, GroupBy::tenant);
    for (const BillRow& row : bill.other_costs)
        parts.other.push_back({row.label, row.usd_cents});
    parts.paid.usd = bill.paid.usd_cents;
    parts.paid.hours = bill.paid.hours_tenths;
    parts.total.usd = bill.total_cents;
    return parts;
}

/// `usd` times `factor`, to the nearest unit; factor < 1e18.
int128 scaled(int128 usd, double factor) {
    return static_cast<int128>(std::round(static_cast<double>(usd) * factor));
}

/// units: of the dollars in `rows`, per dollar.
std::optional<DiffCauses>
causes_of(const Result& base, const Result& fresh, const DiffRows& rows, double units) {
    constexpr double max_ratio = 1e12;
    const LeafSums before = leaf_sums(base);
    const LeafSums after = leaf_sums(fresh);
    const auto hours = [](SlotTime time) {
        return static_cast<double>(time.count()) / static_cast<double>(slot_ms_per_gpu_hour);
    };
    DiffCauses causes;
    const auto knows_work = [](const Result& result) { // of what is paid for, no more
        return result.covers_run() && result.metrics.finished_work > SlotTime{};
    };
    causes.is_at_reference_speed = knows_work(base) && knows_work(fresh);
    const auto work = [&](const Result& result, const LeafSums& sums) {
        return hours(causes.is_at_reference_speed ? result.metrics.finished_work
                                                  : sums.held_in(LeafGroup::productive));
    };
    causes.volume = {work(base, before), work(fresh, after), 0};
    const double paid_before = hours(before.paid());
    const double paid_after = hours(after.paid());
    const double more_work = causes.volume.fresh / causes.volume.base;
    const double more_time = paid_after / paid_before;
    if (causes.volume.base <= 0 || causes.volume.fresh <= 0 || more_work > max_ratio ||
        more_time > max_ratio)
        return std::nullopt;
    const int128 usd = *rows.paid.usd.base;
    causes.efficiency = {paid_before / causes.volume.base, paid_after / causes.volume.fresh, 0};
    causes.price = {static_cast<double>(usd) / units / paid_before,
                    static_cast<double>(*rows.paid.usd.fresh) / units / paid_after,
                    0};
    causes.volume.usd = scaled(usd, more_work) - usd;
    causes.efficiency.usd = scaled(usd, more_time) - scaled(usd, more_work);
    causes.price.usd = *rows.paid.usd.fresh - scaled(usd, more_time);
    causes.other_usd = *rows.total.usd.delta() - *rows.paid.usd.delta();
    return causes;
}

/// Whether the same of both results' jobs finished.
bool same_finished(const JobColumns& base, const JobColumns& fresh) {
    for (std::size_t job = 0; job < base.size(); ++job)
        if (has_finished(base.state[job]) != has_finished(fresh.state[job]))
            return false;
    return true;
}

/// False for the bill of a month.
bool has_jobs(const Result& result) {
    return result.jobs.size() > 0;
}

std::vector<std::string> notes_of(const Result& base, const Result& fresh) {
    std::vector<std::string> notes;
    const Duration base_window = base.window_end - base.window_begin;
    const Duration fresh_window = fresh.window_end - fresh.window_begin;
    if (base_window != fresh_window)
        notes.push_back(
            fmt::format("the bills cover {} and {}: dollars and GPU-hours differ by that, too",
                        span_text(base_window),
                        span_text(fresh_window)));
    if (!has_jobs(base) || !has_jobs(fresh))
        notes.emplace_back("months have GPU time alone, without what is billed past the end of a "
                           "run or node: other charges, energy, waits and JCTs are those of whole "
                           "runs");
    else if (!have_same_jobs(base, fresh))
        notes.emplace_back(
            "the jobs are not the same: their waits and JCTs are those of other jobs");
    else if (!same_finished(base.jobs, fresh.jobs))
        notes.emplace_back(
            "not the same jobs finished: JCTs, waits and slowdowns are over other jobs");
    return notes;
}

/// How far modelled run times may make the change of the total cost lie off; empty: nothing is
/// modelled, or no error of it changes the totals.
std::string model_error_note(const Result& base, const Result& fresh) {
    const std::optional<double> error = modelled_error_usd(base, fresh);
    if (!error)
        return "the error of modelled run times is not known for all: no interval includes it";
    if (*error == 0)
        return {};
    return fmt::format(
        "the change of the total cost is uncertain by +- {} USD (95 %) because of "
        "modelled run times{}",
        grouped_text(static_cast<int128>(std::llround(*error * 100)), 2),
        pairing_of(base, fresh) == SeedPairing::single ? "" : "; its interval includes this");
}

} // namespace

DiffRows exact_rows(const Result& base, const Result& fresh) {
    DiffRows rows = rows_of(exact_parts(base), exact_parts(fresh));
    rows.causes = causes_of(base, fresh, rows, 1e6);
    return rows;
}

DiffRows shown_rows(const Result& base, const Result& fresh) {
    DiffRows rows = rows_of(shown_parts(base), shown_parts(fresh));
    rows.causes = causes_of(base, fresh, rows, 1e2);
    return rows;
}

ResultDiff diff_results(const Result& base,
                        const Result& fresh,
                        std::string base_name,
                        std::string fresh_name) {
    ResultDiff diff{std::move(base_name),
                    std::move(fresh_name),
                    &base,
                    &fresh,
                    scenario_changes(base, fresh),
                    notes_of(base, fresh),
                    compared_metrics(base, fresh)};
    if (!has_jobs(base) || !has_jobs(fresh))
        for (DiffMetric& metric : diff.metrics)
            if (metric.row->name.starts_with("metrics.") || metric.row->name.starts_with("events."))
                metric.figure = {};
    if (std::string note = model_error_note(base, fresh); !note.empty())
        diff.notes.push_back(std::move(note));
    if (std::string note = seeds_note(base, fresh, diff.base_name, diff.fresh_name); !note.empty())
        diff.notes.push_back(std::move(note));
    return diff;
}

const DiffMetric& metric_of(const ResultDiff& diff, std::string_view scalar) {
    return *std::ranges::find_if(diff.metrics,
                                 [&](const DiffMetric& one) { return one.row->name == scalar; });
}

}} // namespace bursar::reports
