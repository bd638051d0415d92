#pragma once

#include <limits>
#include <type_traits>
#include <utility>

#include "sim/plan/plan.hpp"

#include "reports/result/result.hpp"
#include "reports/result/saved_bounds.hpp"

/// The members of `result.json`, each once: its key, where it stands in a Result, its range. `Io`
/// is a MemberWriter, of a Result that is const, or a MemberReader.
namespace bursar { inline namespace reports { namespace saved {

inline constexpr std::int64_t max_int64 = std::numeric_limits<std::int64_t>::max();

template <class Integer>
inline constexpr std::uint64_t max_of = std::numeric_limits<Integer>::max();

template <class Io, class Month>
void month_members(Io& io, Month& month) {
    io.string("name", month.name);
    io.integer("begin_ms", month.begin, 0, max_ms);
    io.integer("end_ms", month.end, 0, max_ms);
}

template <class Io, class Budget>
void budget_members(Io& io, Budget& budget) {
    constexpr std::int64_t max_index = max_of<std::uint32_t>;
    io.string("name", budget.name);
    io.exact("limit", budget.limit, max_budget);
    io.integer_or_null("pool", budget.pool, 0, max_index);
    io.integer_or_null("tenant", budget.tenant, 0, max_index);
    io.boolean("monthly", budget.is_monthly);
    io.boolean("fails", budget.fails);
    io.unsigned_integer("seeds_exceeded", budget.seeds_exceeded);
    if (io.has_if("action", budget.action != BudgetAction::alert)) {
        io.one_of("action", budget.action, budget_action_names);
        io.list("stops", budget.stops, [](auto& one, auto& stop) {
            one.integer("begin_ms", stop.begin, 0, max_ms);
            one.integer("end_ms", stop.end, 0, max_ms);
            one.unsigned_integer("stopped", stop.num_stopped);
        });
    }
    if (io.has_if("burn_over_ms", budget.burn.has_value())) {
        BurnLimit burn = budget.burn.value_or(BurnLimit{});
        io.exact("burn_per_hour", burn.per_hour, max_budget);
        io.integer("burn_over_ms", burn.over, 1, max_ms);
        if constexpr (!std::is_const_v<Budget>)
            budget.burn = burn;
    }
}

template <class Io, class Run>
void run_members(Io& io, Run& run) {
    io.string("version", run.version);
    io.string("scenario_name", run.scenario_name);
    io.hash("scenario_hash", run.scenario_hash);
    io.unsigned_integer("seed", run.seed);
    if (io.has_times("wall_ns")) {
        io.integer("wall_ns", run.wall, 0, max_int64);
        io.integer("policy_ns", run.policy_time, 0, max_int64);
        io.unsigned_integer("peak_rss_bytes", run.peak_rss_bytes);
    }
    for (const PolicyLabel& label : policy_labels)
        if (label.in_every_file || io.has(label.name))
            io.string(label.name, run.policy.*label.text);
    io.strings("price_basis", run.price_basis);
    io.strings("warnings", run.warnings);
    if (io.has("decisive"))
        io.strings("decisive", run.decisive);
    io.strings("assumed", run.assumed);
    io.strings("unmodelled", run.unmodelled);
    io.strings("trace_notes", run.trace_notes);
    io.list("other_costs", run.other_costs, [](auto& one, auto& other) {
        one.string("name", other.name);
        one.exact("cost", other.cost, max_money);
    });
    if (io.has_if("currency", run.currency.has_value())) {
        BillCurrency currency = run.currency.value_or(BillCurrency{});
        io.string("currency", currency.code);
        io.integer("currency_nano_usd", currency.nano_usd, 1, max_currency_nano_usd);
        io.string("currency_day", currency.day);
        io.string("currency_source", currency.source);
        if constexpr (!std::is_const_v<Run>)
            run.currency = std::move(currency);
    }
    if (io.has_if("months", !run.months.empty()))
        io.list("months", run.months, [](auto& one, auto& month) { month_members(one, month); });
    if (io.has_if("budgets", !run.budgets.empty()))
        io.list(
            "budgets", run.budgets, [](auto& one, auto& budget) { budget_members(one, budget); });
}

template <class Io, class Outcome>
void outcome_members(Io& io, Outcome& result) {
    io.integer_or_null("zero_utc_ms", result.zero_utc_ms, min_utc_ms, max_utc_ms);
    io.integer("end_ms", result.end, 0, max_ms);
    io.integer("window_begin_ms", result.window_begin, 0, max_ms);
    io.integer("window_end_ms", result.window_end, 0, max_ms);
    if (io.has("measure_from_ms")) {
        io.integer("measure_from_ms", result.measure_from, 0, max_ms);
        io.integer_or_null("measure_to_ms", result.measure_to, 0, max_ms);
    }
    io.unsigned_integer("events", result.events);
    io.unsigned_integer("num_started", result.num_started);
    io.unsigned_integer("num_finished", result.num_finished);
    io.unsigned_integer("num_running_at_end", result.num_running_at_end);
    io.unsigned_integer("num_queued_at_end", result.num_queued_at_end);
    io.hash("fingerprint", result.fingerprint);
}

template <class Io>
void energy_members(Io& io, PlanEnergy& energy) {
    io.integer("idle_milliwatts", energy.idle, 0, max_drawn_power.count());
    io.integer("busy_milliwatts", energy.busy, energy.idle.count(), max_drawn_power.count());
    io.integer("pue_milli", energy.pue_milli, 1000, max_pue_milli);
    io.integer_or_null("grid_mg_per_kwh", energy.grid, 0, max_grid_intensity.count());
    io.string("grid", energy.grid_name);
    io.integer("embodied_ng_per_gpu_hour", energy.embodied, 0, max_embodied_rate.count());
}

template <class Io, class Pool>
void pool_members(Io& io, Pool& pool) {
    io.string("name", pool.name);
    io.string("gpu", pool.gpu);
    io.string("region", pool.region);
    io.one_of("purchase", pool.purchase, purchase_names);
    io.integer("num_nodes", pool.num_nodes, 0, max_gpus);
    io.integer("gpus_per_node", pool.gpus_per_node, 0, max_gpus);
    if (io.has_if("nodes_are_a_range", pool.nodes.has_value())) {
        ResultNodes nodes = pool.nodes.value_or(ResultNodes{});
        std::int64_t is_range = nodes.is_range ? 1 : 0;
        io.integer("nodes_are_a_range", is_range, 0, 1);
        nodes.is_range = is_range == 1;
        io.integer("least_nodes", nodes.least, 0, max_gpus);
        io.integer("most_nodes", nodes.most, 0, max_gpus);
        if (io.has_if("first_nodes", true)) {
            io.integer("first_nodes", nodes.first, 0, max_gpus);
            io.integer("min_nodes", nodes.min, 0, max_gpus);
        }
        io.unsigned_integer("launches", nodes.launches);
        io.unsigned_integer("reclaimed", nodes.reclaimed);
        io.unsigned_integer("failures", nodes.failures);
        io.unsigned_integer("failed_launches", nodes.failed_launches);
        if constexpr (!std::is_const_v<Pool>)
            pool.nodes = nodes;
    }
    if (io.has_if("idle_milliwatts", pool.energy.has_value())) {
        PlanEnergy energy = pool.energy.value_or(PlanEnergy{});
        energy_members(io, energy);
        if constexpr (!std::is_const_v<Pool>)
            pool.energy = std::move(energy);
    }
    if (io.has_if("grid_from_ms", pool.grid.has_value())) {
        PriceSeries series = pool.grid.value_or(PoolPrice{}).series();
        io.column("grid_from_ms", series.start_ms, max_ms);
        io.column("grid_mg_per_kwh_from", series.rate, max_grid_intensity.count());
        io.check(PoolPrice::can_be(series), "the intensities of its grid are not in order");
        io.check(pool.energy && pool.energy->grid, "it has a grid and no carbon");
        if constexpr (!std::is_const_v<Pool>)
            pool.grid = PoolPrice{std::move(series)};
    }
    if (io.has_if("price_from_ms", pool.price.varies())) {
        PriceSeries series = pool.price.series();
        io.column("price_from_ms", series.start_ms, max_ms);
        io.column("price_nano_usd_per_gpu_hour", series.rate, max_series_rate.count());
        io.check(PoolPrice::can_be(series), "its prices are not in order");
        if constexpr (!std::is_const_v<Pool>)
            pool.price = PoolPrice{std::move(series)};
    } else {
        MoneyRate rate = pool.price.at(Duration{});
        io.integer("rate_nano_usd_per_gpu_hour", rate, 0, max_rate);
        if constexpr (!std::is_const_v<Pool>)
            pool.price = PoolPrice{rate};
    }
}

/// result: which the cell is of.
template <class Io, class Cell>
void cell_members(Io& io, Cell& cell, const Result& result) {
    io.integer("pool", cell.pool, 0, static_cast<std::int64_t>(result.pools.size()) - 1);
    io.integer_or_null(
        "tenant", cell.tenant, 0, static_cast<std::int64_t>(result.tenants.size()) - 1);
    io.one_of("leaf", cell.leaf, leaf_names);
    io.exact("slot_ms", cell.held, max_slot_ms);
    io.exact("cost", cell.cost, max_money);
    if (io.has_if("grid_mg_slot_ms_per_kwh", cell.grid != GridTime{}))
        io.exact("grid_mg_slot_ms_per_kwh", cell.grid, max_money);
}

/// result: which the run time is of.
template <class Io, class Modelled>
void modelled_members(Io& io, Modelled& modelled, const Result& result) {
    io.string("model", modelled.model);
    io.string("stack", modelled.stack);
    io.integer("gpus", modelled.gpus, 1, max_gpus);
    io.integer("pool", modelled.pool, 0, static_cast<std::int64_t>(result.pools.size()) - 1);
    io.integer("run_time_ms", modelled.run_time, 0, max_ms);
    io.number_or_null("error", modelled.error);
}

/// max_modelled: as many modelled runs as the result has.
template <class Io, class Jobs>
void job_members(Io& io, Jobs& jobs, std::uint64_t max_modelled) {
    io.string("names", jobs.names);
    io.free_column("name_end", jobs.name_end, jobs.names.size());
    io.column("state", jobs.state, job_state_names.size() - 1);
    io.column("gpus", jobs.gpus, max_gpus);
    io.column("tenant", jobs.tenant, max_of<std::uint16_t>);
    io.column("pool", jobs.pool, max_of<std::uint16_t>);
    io.column("submit_ms", jobs.submit_ms, max_ms);
    io.column("start_ms", jobs.start_ms, max_ms);
    io.column("finish_ms", jobs.finish_ms, max_ms);
    io.column("work_ms", jobs.work_ms, max_ms);
    io.column_if_any("stalled_slots", jobs.stalled_slots, max_gpus * slots_per_gpu);
    io.column_if_any("gpu_slots", jobs.gpu_slots, slots_per_gpu);
    io.column_if_any("level", jobs.level, max_of<std::uint8_t>);
    io.column_if_any("last_start_ms", jobs.last_start_ms, max_ms);
    io.column_if_any("modelled", jobs.modelled, max_modelled);
    io.column_if_any("believed_cost", jobs.believed_cost, max_int64);
    io.column_if_any("deadline_ms", jobs.deadline_ms, max_int64);
}

template <class Io, class Stopped>
void stopped_members(Io& io, Stopped& stopped) {
    io.column("job", stopped.job, max_of<std::uint32_t>);
    io.column("pool", stopped.pool, max_of<std::uint16_t>);
    io.column("level", stopped.level, max_of<std::uint8_t>);
    io.column("start_ms", stopped.start_ms, max_ms);
    io.column("stop_ms", stopped.stop_ms, max_ms);
    io.column("kept_ms", stopped.kept_ms, max_ms);
    io.column("lost_ms", stopped.lost_ms, max_ms);
    io.column_if_any("cause", stopped.cause, stop_cause_names.size() - 1);
    io.column_if_any("stalled_slots", stopped.stalled_slots, max_gpus * slots_per_gpu);
    io.column_if_any("believed_cost", stopped.believed_cost, max_int64);
}

template <class Io, class Places>
void place_members(Io& io, Places& places) {
    io.free_column("end", places.end, max_of<std::uint32_t>);
    io.column("node", places.node, max_of<std::uint32_t>);
    io.column("gpus", places.gpus, max_of<std::uint16_t>);
}

template <class Io, class Phases>
void phase_members(Io& io, Phases& phases) {
    io.column("startup_ms", phases.startup_ms, max_ms);
    io.column("recovery_ms", phases.recovery_ms, max_ms);
    io.column("teardown_ms", phases.teardown_ms, max_ms);
    io.column("saves", phases.saves, 1);
    if (io.has_if("kind", !phases.kind.empty()))
        io.free_column("kind", phases.kind, phases.startup_ms.size() - 1);
}

template <class Io, class Timeline>
void timeline_members(Io& io, Timeline& timeline) {
    constexpr std::uint64_t max_queued = std::uint64_t{1} << 48;
    io.column("time_ms", timeline.time_ms, max_ms);
    io.column("pool", timeline.pool, max_of<std::uint32_t>);
    io.column("allocated_slots", timeline.allocated_slots, max_gpus * slots_per_gpu);
    io.column("queue_jobs", timeline.queue_jobs, max_of<std::uint32_t>);
    io.column("queue_slots", timeline.queue_slots, max_queued);
    io.column_if_any("down_slots", timeline.down_slots, max_gpus * slots_per_gpu);
    io.column_if_any("off_slots", timeline.off_slots, max_gpus * slots_per_gpu);
}

template <class Io, class Periods>
void period_members(Io& io, Periods& periods) {
    io.integer("width_ms", periods.width, 1, max_ms);
    io.integer("origin_ms", periods.origin, -max_ms, 0);
    io.column("bucket", periods.bucket, max_of<std::uint32_t>);
    io.column("cell", periods.cell, max_of<std::uint32_t>);
    io.column("slot_ms", periods.slot_ms, max_of<std::int64_t>);
    io.column_if_any("cost_high", periods.cost_high, std::uint64_t{1} << 62U);
    io.column_if_any("cost_low", periods.cost_low, (std::uint64_t{1} << 40U) - 1);
}

template <class Io, class Repeated>
void repeat_members(Io& io, Repeated& repeats) {
    io.unsigned_integer("n", repeats.n);
    io.list("scalars", repeats.scalars, [](auto& one, auto& scalar) {
        one.string("name", scalar.name);
        one.unsigned_integer("n", scalar.n);
        one.number("mean", scalar.mean);
        one.number("min", scalar.min);
        one.number("max", scalar.max);
        one.number_or_null("sd", scalar.sd);
        one.number_or_null("ci95_low", scalar.ci_low);
        one.number_or_null("ci95_high", scalar.ci_high);
        if (one.has_if("by_seed", !scalar.by_seed.empty()))
            one.numbers_or_null("by_seed", scalar.by_seed);
    });
}

}}} // namespace bursar::reports::saved
