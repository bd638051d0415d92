#pragma once

#include <type_traits>
#include <utility>

#include "reports/result/result.hpp"

/// The members of `result.json`, each once: its key, and where it stands in a Result. `Io` is a
/// MemberWriter, of a Result that is const, or a MemberReader. Indices are checked once all is read
/// (saved_result.cpp).
namespace bursar { inline namespace reports { namespace saved {

template <class Io, class Month>
void month_members(Io& io, Month& month) {
    io.string("name", month.name);
    io.integer("begin_ms", month.begin);
    io.integer("end_ms", month.end);
}

template <class Io, class Budget>
void budget_members(Io& io, Budget& budget) {
    io.string("name", budget.name);
    io.exact("limit", budget.limit);
    io.integer_or_null("pool", budget.pool);
    io.integer_or_null("tenant", budget.tenant);
    io.boolean("monthly", budget.is_monthly);
    io.boolean("fails", budget.fails);
    io.integer("seeds_exceeded", budget.seeds_exceeded);
    if (io.has_if("action", budget.action != BudgetAction::alert)) {
        io.one_of("action", budget.action, budget_action_names);
        io.list("stops", budget.stops, [](auto& one, auto& stop) {
            one.integer("begin_ms", stop.begin);
            one.integer("end_ms", stop.end);
            one.integer("stopped", stop.num_stopped);
        });
    }
    io.part("burn_over_ms", budget.burn, [](auto& one, auto& burn) {
        one.exact("burn_per_hour", burn.per_hour);
        one.integer("burn_over_ms", burn.over);
    });
}

template <class Io, class Run>
void run_members(Io& io, Run& run) {
    io.string("version", run.version);
    io.string("scenario_name", run.scenario_name);
    io.string("scenario_text", run.scenario_text);
    io.hash("scenario_hash", run.scenario_hash);
    io.integer("seed", run.seed);
    if (io.has_times("wall_ns")) {
        io.integer("wall_ns", run.wall);
        io.integer("policy_ns", run.policy_time);
        io.integer("peak_rss_bytes", run.peak_rss_bytes);
    }
    for (const PolicyLabel& label : policy_labels)
        io.string(label.name, run.policy.*label.text);
    io.strings("price_basis", run.price_basis);
    io.strings("warnings", run.warnings);
    io.strings("decisive", run.decisive);
    io.strings("assumed", run.assumed);
    io.strings("unmodelled", run.unmodelled);
    io.strings("trace_notes", run.trace_notes);
    io.list("other_costs", run.other_costs, [](auto& one, auto& other) {
        one.string("name", other.name);
        one.exact("cost", other.cost);
    });
    io.part("currency", run.currency, [](auto& one, auto& currency) {
        one.string("currency", currency.code);
        one.integer("currency_nano_usd", currency.nano_usd);
        one.string("currency_day", currency.day);
        one.string("currency_source", currency.source);
    });
    if (io.has_if("months", !run.months.empty()))
        io.list("months", run.months, [](auto& one, auto& month) { month_members(one, month); });
    if (io.has_if("budgets", !run.budgets.empty()))
        io.list(
            "budgets", run.budgets, [](auto& one, auto& budget) { budget_members(one, budget); });
}

template <class Io, class Outcome>
void outcome_members(Io& io, Outcome& result) {
    io.integer_or_null("zero_utc_ms", result.zero_utc_ms);
    io.integer("end_ms", result.end);
    io.part("ends_by_scenario", result.ends_by_scenario, [](auto& one, auto& by_scenario) {
        one.boolean("ends_by_scenario", by_scenario);
    });
    io.integer("window_begin_ms", result.window_begin);
    io.integer("window_end_ms", result.window_end);
    io.integer("measure_from_ms", result.measure_from);
    io.integer_or_null("measure_to_ms", result.measure_to);
    io.integer("events", result.events);
    io.integer("num_started", result.num_started);
    io.integer("num_finished", result.num_finished);
    io.integer("num_running_at_end", result.num_running_at_end);
    io.integer("num_queued_at_end", result.num_queued_at_end);
    io.hash("fingerprint", result.fingerprint);
}

/// A price in steps, or what is kept like one.
template <class Io, class Price>
void series_members(Io& io, std::string_view times, std::string_view values, Price& price) {
    PriceSeries series = price.series();
    io.free_column(times, series.start_ms);
    io.free_column(values, series.rate);
    io.check(PoolPrice::can_be(series), times, "not the starts of steps");
    if constexpr (!std::is_const_v<Price>)
        price = PoolPrice{std::move(series)};
}

template <class Io, class Pool>
void pool_members(Io& io, Pool& pool) {
    io.string("name", pool.name);
    io.string("gpu", pool.gpu);
    io.string("region", pool.region);
    io.one_of("purchase", pool.purchase, purchase_names);
    io.integer("num_nodes", pool.num_nodes);
    io.integer("gpus_per_node", pool.gpus_per_node);
    io.part("nodes_are_a_range", pool.nodes, [](auto& one, auto& nodes) {
        one.boolean("nodes_are_a_range", nodes.is_range);
        one.integer("least_nodes", nodes.least);
        one.integer("most_nodes", nodes.most);
        one.integer("first_nodes", nodes.first);
        one.integer("min_nodes", nodes.min);
        one.integer("launches", nodes.launches);
        one.integer("reclaimed", nodes.reclaimed);
        one.integer("failures", nodes.failures);
        one.integer("failed_launches", nodes.failed_launches);
    });
    io.part("idle_milliwatts", pool.energy, [](auto& one, auto& energy) {
        one.integer("idle_milliwatts", energy.idle);
        one.integer("busy_milliwatts", energy.busy);
        one.integer("pue_milli", energy.pue_milli);
        one.integer_or_null("grid_mg_per_kwh", energy.grid);
        one.string("grid", energy.grid_name);
        one.integer("embodied_ng_per_gpu_hour", energy.embodied);
    });
    io.part("grid_from_ms", pool.grid, [](auto& one, auto& grid) {
        series_members(one, "grid_from_ms", "grid_mg_per_kwh_from", grid);
    });
    if (io.has_if("price_from_ms", pool.price.varies())) {
        series_members(io, "price_from_ms", "price_nano_usd_per_gpu_hour", pool.price);
    } else {
        MoneyRate rate = pool.price.at(Duration{});
        io.integer("rate_nano_usd_per_gpu_hour", rate);
        if constexpr (!std::is_const_v<Pool>)
            pool.price = PoolPrice{rate};
    }
}

template <class Io, class Cell>
void cell_members(Io& io, Cell& cell) {
    io.integer("pool", cell.pool);
    io.integer_or_null("tenant", cell.tenant);
    io.one_of("leaf", cell.leaf, leaf_names);
    io.exact("slot_ms", cell.held);
    io.exact("cost", cell.cost);
    if (io.has_if("grid_mg_slot_ms_per_kwh", cell.grid != GridTime{}))
        io.exact("grid_mg_slot_ms_per_kwh", cell.grid);
}

template <class Io, class Modelled>
void modelled_members(Io& io, Modelled& modelled) {
    io.string("model", modelled.model);
    io.string("stack", modelled.stack);
    io.integer("gpus", modelled.gpus);
    io.integer("pool", modelled.pool);
    io.integer("run_time_ms", modelled.run_time);
    io.number_or_null("range_low", modelled.range_low);
    io.number_or_null("range_high", modelled.range_high);
}

template <class Io, class Jobs>
void job_members(Io& io, Jobs& jobs) {
    io.string("names", jobs.names);
    io.free_column("name_end", jobs.name_end);
    io.column("state", jobs.state, job_state_names.size());
    io.column("gpus", jobs.gpus);
    io.column("tenant", jobs.tenant);
    io.column("pool", jobs.pool);
    io.column("submit_ms", jobs.submit_ms);
    io.column_if_any("eligible_ms", jobs.eligible_ms);
    io.column("start_ms", jobs.start_ms);
    io.column("finish_ms", jobs.finish_ms);
    io.column("work_ms", jobs.work_ms);
    io.column("ideal_ms", jobs.ideal_ms);
    io.column_if_any("stalled_slots", jobs.stalled_slots);
    io.column_if_any("gpu_slots", jobs.gpu_slots);
    io.column_if_any("level", jobs.level);
    io.column_if_any("last_start_ms", jobs.last_start_ms);
    io.column_if_any("last_gpus", jobs.last_gpus);
    io.column_if_any("last_gpu_slots", jobs.last_gpu_slots);
    io.column_if_any("modelled", jobs.modelled);
    io.column_if_any("believed_cost", jobs.believed_cost);
    io.column_if_any("deadline_ms", jobs.deadline_ms);
    io.column_if_any("spared_gpu_ms", jobs.spared_gpu_ms);
    io.column_if_any("staged_ms", jobs.staged_ms);
    io.column_if_any("class", jobs.job_class);
    io.column_if_any("wait_turn_ms", jobs.wait_turn_ms);
    io.column_if_any("wait_place_ms", jobs.wait_place_ms);
    io.column_if_any("wait_nodes_ms", jobs.wait_nodes_ms);
}

template <class Io, class Stopped>
void stopped_members(Io& io, Stopped& stopped) {
    io.column("job", stopped.job);
    io.column("pool", stopped.pool);
    io.column("level", stopped.level);
    io.column("start_ms", stopped.start_ms);
    io.column("stop_ms", stopped.stop_ms);
    io.column("kept_ms", stopped.kept_ms);
    io.column("lost_ms", stopped.lost_ms);
    io.column_if_any("cause", stopped.cause, stop_cause_names.size());
    io.column_if_any("gpus", stopped.gpus);
    io.column_if_any("gpu_slots", stopped.gpu_slots);
    io.column_if_any("stalled_slots", stopped.stalled_slots);
    io.column_if_any("believed_cost", stopped.believed_cost);
}

template <class Io, class Places>
void place_members(Io& io, Places& places) {
    io.free_column("end", places.end);
    io.column("node", places.node);
    io.column("gpus", places.gpus);
}

template <class Io, class Phases>
void phase_members(Io& io, Phases& phases) {
    io.column("startup_ms", phases.startup_ms);
    io.column("recovery_ms", phases.recovery_ms);
    io.column_if_any("rescale_ms", phases.rescale_ms);
    io.column("teardown_ms", phases.teardown_ms);
    io.column("saves", phases.saves);
    if (io.has_if("kind", !phases.kind.empty()))
        io.free_column("kind", phases.kind);
}

template <class Io, class Timeline>
void timeline_members(Io& io, Timeline& timeline) {
    io.column("time_ms", timeline.time_ms);
    io.column("pool", timeline.pool);
    io.column("allocated_slots", timeline.allocated_slots);
    io.column("queue_jobs", timeline.queue_jobs);
    io.column("queue_slots", timeline.queue_slots);
    io.column_if_any("down_slots", timeline.down_slots);
    io.column_if_any("off_slots", timeline.off_slots);
}

template <class Io, class Periods>
void period_members(Io& io, Periods& periods) {
    io.integer("width_ms", periods.width);
    io.check(periods.width > Duration{}, "width_ms", "not > 0");
    io.integer("origin_ms", periods.origin);
    io.column("bucket", periods.bucket);
    io.column("cell", periods.cell);
    io.column("slot_ms", periods.slot_ms);
    io.column_if_any("slot_ms_high", periods.slot_ms_high);
    io.column_if_any("cost_high", periods.cost_high);
    io.column_if_any("cost_low", periods.cost_low);
}

template <class Io, class Repeated>
void repeat_members(Io& io, Repeated& repeats) {
    io.integer("n", repeats.n);
    io.list("scalars", repeats.scalars, [](auto& one, auto& scalar) {
        one.string("name", scalar.name);
        one.integer("n", scalar.n);
        one.number("mean", scalar.mean);
        one.number("min", scalar.min);
        one.number("max", scalar.max);
        one.number_or_null("sd", scalar.sd);
        one.number_or_null("ci95_low", scalar.ci_low);
        one.number_or_null("ci95_high", scalar.ci_high);
        one.numbers_or_null("by_seed", scalar.by_seed);
    });
}

}}} // namespace bursar::reports::saved
