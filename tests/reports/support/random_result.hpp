#pragma once

#include "reports/result/result.hpp"
#include "reports/result/result_attempt.hpp"

#include "tests/properties.hpp"

namespace bursar::test {

/// Any valid UTF-8, as in Result, including text that needs escaping.
inline std::string random_text() {
    return drawn::text("ab1 ,\"\n\r\t|<>&\\`*_[]=+-\x1b\x01'");
}

/// Gives started jobs of `out` some preempted attempts before their last one.
inline void preempt_some(Result& out) {
    const auto any = [](std::int64_t min, std::int64_t max) {
        return drawn::in_range<std::int64_t>(min, max + 1);
    };
    out.jobs.last_start_ms.assign(out.jobs.size(), 0);
    const bool has_causes = any(0, 1) == 1; // else all were preempted
    for (std::uint32_t job = 0; job < out.jobs.size(); ++job) {
        const JobState state = out.jobs.state[job];
        if (!has_started(state))
            continue;
        const std::int64_t until = has_finished(state) ? out.jobs.finish_ms[job] : out.end.count();
        std::int64_t start = out.jobs.start_ms[job];
        for (std::int64_t left = any(0, 3); left > 0; --left) {
            const std::int64_t stop = any(start, until);
            out.stopped.job.push_back(job);
            out.stopped.pool.push_back(out.jobs.pool[job]);
            out.stopped.level.push_back(0);
            if (has_causes)
                out.stopped.cause.push_back(static_cast<StopCause>(any(
                    static_cast<int>(StopCause::preempted), static_cast<int>(StopCause::shared))));
            out.stopped.start_ms.push_back(start);
            out.stopped.stop_ms.push_back(stop);
            out.stopped.kept_ms.push_back(any(0, stop - start));
            out.stopped.lost_ms.push_back(stop - start - out.stopped.kept_ms.back());
            if (!out.jobs.stalled_slots.empty())
                out.stopped.stalled_slots.push_back(any(0, out.jobs.gpus[job] * slots_per_gpu));
            start = out.jobs.last_start_ms[job] = any(stop, until);
        }
        out.jobs.work_ms[job] = std::min(out.jobs.work_ms[job], until - start);
    }
}

/// Sets the nodes of every attempt: its gang cut into pieces at random.
inline void place_all(Result& out) {
    for_each_attempt(out, [&](const ResultAttempt& attempt) {
        const ResultPool& pool = out.pools[attempt.pool];
        auto left = static_cast<std::int64_t>(out.jobs.gpus[attempt.job]);
        for (std::uint32_t node = 0; left > 0; node = (node + 1) % pool.num_nodes) {
            const std::int64_t most = std::min<std::int64_t>(left, pool.gpus_per_node);
            const std::int64_t gpus = drawn::in_range<std::int64_t>(0, most + 1);
            if (gpus == 0)
                continue;
            out.places.node.push_back(node);
            out.places.gpus.push_back(static_cast<std::uint16_t>(gpus));
            left -= gpus;
        }
        out.places.end.push_back(static_cast<std::uint32_t>(out.places.node.size()));
    });
}

/// Sets the phases of attempts besides work, for every job.
inline void phase_all(Result& out) {
    const auto any = [](std::int64_t min, std::int64_t max) {
        return drawn::in_range<std::int64_t>(min, max + 1);
    };
    const std::int64_t kinds = any(1, 3);
    for (std::int64_t kind = 0; kind < kinds; ++kind) {
        out.phases.startup_ms.push_back(any(0, 100'000));
        out.phases.recovery_ms.push_back(any(0, 100'000));
        out.phases.teardown_ms.push_back(any(0, 100'000));
        out.phases.saves.push_back(static_cast<std::uint8_t>(any(0, 1)));
    }
    for (std::size_t job = 0; kinds > 1 && job < out.jobs.size(); ++job)
        out.phases.kind.push_back(static_cast<std::uint16_t>(any(0, kinds - 1)));
}

/// Paid time and its cost.
struct PaidTime {
    SlotTime held{};
    Money cost{};
};

/// Books `total` on some of `leaves`, in random parts, each at the mean price of the whole.
inline void book_some(Result& out,
                      std::uint32_t pool,
                      std::optional<std::uint32_t> tenant,
                      std::vector<Leaf> leaves,
                      PaidTime total) {
    for (std::size_t i = 0; i < leaves.size() && total.held > SlotTime{}; ++i) {
        const bool is_last = i + 1 == leaves.size();
        const auto percent = drawn::element_of(std::vector<std::int64_t>{0, 1, 37});
        const SlotTime held = is_last ? total.held : SlotTime{total.held.count() * percent / 100};
        const Money cost{total.cost.count() * held.count() / total.held.count()};
        total.held -= held;
        total.cost -= cost;
        if (held > SlotTime{})
            out.cells.push_back({pool, tenant, leaves[i], held, cost});
    }
}

/// One rate, or several one after another until `end`.
inline PoolPrice random_price(Duration end) {
    const auto any_rate = [] { return drawn::in_range<std::int64_t>(0, 10'000'000'000); };
    PriceSeries series;
    for (std::int64_t start = 0; start < end.count() && drawn::in_range(0, 4) > 0;
         start += drawn::in_range<std::int64_t>(1, end.count() + 1)) {
        series.start_ms.push_back(start);
        series.rate.push_back(any_rate());
    }
    return PoolPrice::can_be(series) ? PoolPrice{series} : PoolPrice{MoneyRate{any_rate()}};
}

inline std::vector<Leaf> leaves_that(bool (*belong)(Leaf)) {
    std::vector<Leaf> out;
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
        if (belong(static_cast<Leaf>(leaf)))
            out.push_back(static_cast<Leaf>(leaf));
    return out;
}

/// The cells of a result with its jobs: their time inside the window on some leaves of their
/// tenants, the rest of every pool on some leaves without a tenant.
inline void book_all(Result& out) {
    const auto owned = leaves_that([](Leaf leaf) { return group_of(leaf) >= LeafGroup::overhead; });
    const auto ownerless = leaves_that([](Leaf leaf) {
        return group_of(leaf) <= LeafGroup::idle && leaf != Leaf::unavail_reserved_unlaunched;
    });
    const std::size_t num_tenants = out.tenants.size();
    std::vector<PaidTime> held(out.pools.size() * num_tenants);
    const auto add = [&](std::size_t pool, std::size_t job, std::int64_t from, std::int64_t to) {
        from = std::max(from, out.window_begin.count());
        to = std::max(from, std::min(to, out.window_end.count()));
        PaidTime& of_tenant = held[pool * num_tenants + out.jobs.tenant[job]];
        of_tenant.held += slot_time(out.jobs.slots(job), Duration{to - from});
        of_tenant.cost +=
            out.pools[pool].price.cost(out.jobs.slots(job), Duration{from}, Duration{to});
    };
    for (std::size_t i = 0; i < out.stopped.size(); ++i)
        add(out.stopped.pool[i],
            out.stopped.job[i],
            out.stopped.start_ms[i],
            out.stopped.stop_ms[i]);
    for (std::size_t job = 0; job < out.jobs.size(); ++job) {
        const JobState state = out.jobs.state[job];
        if (has_started(state) && state != JobState::preempted)
            add(out.jobs.pool[job],
                job,
                out.jobs.last_start(job),
                has_finished(state) ? out.jobs.finish_ms[job] : out.end.count());
    }
    for (std::uint32_t pool = 0; pool < out.pools.size(); ++pool) {
        const ResultPool& paid = out.pools[pool];
        PaidTime rest{slot_time(paid.num_gpus() * slots_per_gpu, out.window_end - out.window_begin),
                      paid.cost_between(out.window_begin, out.window_end)};
        for (std::uint32_t tenant = 0; tenant < num_tenants; ++tenant) {
            book_some(out, pool, tenant, owned, held[pool * num_tenants + tenant]);
            rest.held -= held[pool * num_tenants + tenant].held;
            rest.cost -= held[pool * num_tenants + tenant].cost;
        }
        if (drawn::in_range(0, 3) == 0) {
            const SlotTime past{drawn::in_range<std::int64_t>(1, 1'000'000'000'000)};
            book_some(out,
                      pool,
                      std::nullopt,
                      {Leaf::unavail_reserved_unlaunched},
                      {past, paid.price.at(out.end) * past});
        }
        book_some(out, pool, std::nullopt, ownerless, rest);
    }
}

/// An arbitrary ledger with names and some metrics, jobs and timeline; every field that is saved
/// can differ from its default.
// NOLINTNEXTLINE(readability-function-size,readability-function-cognitive-complexity)
inline Result random_result() {
    const auto any = [](std::int64_t min, std::int64_t max) {
        return drawn::in_range<std::int64_t>(min, max + 1);
    };
    Result out;
    out.run.version = "0.1.0";
    out.run.scenario_name = random_text();
    out.run.scenario_hash = drawn::bits();
    out.run.seed = drawn::bits();
    out.run.wall = std::chrono::nanoseconds{any(0, 1'000'000'000'000)};
    for (const PolicyLabel& label : policy_labels)
        out.run.policy.*label.text = random_text();
    out.run.warnings = {random_text()};
    if (any(0, 1) == 1)
        out.run.other_costs.push_back({random_text(), Money{int128{any(0, 1'000'000'000)} << 40}});
    if (any(0, 1) == 1)
        out.run.currency =
            BillCurrency{random_text(), any(1, 1'000'000'000'000), random_text(), random_text()};
    if (any(0, 1) == 1)
        out.zero_utc_ms = any(0, 2'000'000'000'000);
    out.end = Duration{any(1, 100'000'000)};
    out.window_end = out.end;
    if (any(0, 1) == 1)
        out.measure_from = Duration{any(0, out.end.count())};
    if (any(0, 1) == 1)
        out.measure_to = Duration{any(0, out.end.count())};
    out.events = static_cast<std::uint64_t>(any(0, 1000));
    out.fingerprint = drawn::bits();

    const std::int64_t num_pools = any(1, 4);
    const std::int64_t num_tenants = any(1, 5);
    for (std::int64_t p = 0; p < num_pools; ++p) {
        out.pools.push_back({random_text(),
                             random_text(),
                             random_text(),
                             static_cast<Purchase>(any(0, 3)),
                             static_cast<std::uint32_t>(any(1, 50)),
                             8,
                             random_price(out.end)});
    }
    for (std::int64_t t = 0; t < num_tenants; ++t)
        out.tenants.push_back(random_text());

    const bool has_stalls = any(0, 1) == 1;
    constexpr std::int64_t max_jobs = 5; // all of them fit at the same time
    for (std::int64_t job = any(0, max_jobs); job > 0; --job) {
        const auto state = static_cast<JobState>(any(0, 7));
        const std::int64_t submit = any(0, out.end.count());
        const std::int64_t start = has_started(state) ? any(submit, out.end.count()) : 0;
        const std::int64_t finish = has_finished(state) ? any(start, out.end.count()) : 0;
        out.jobs.names += random_text();
        out.jobs.name_end.push_back(out.jobs.names.size());
        out.jobs.state.push_back(state);
        out.jobs.tenant.push_back(static_cast<std::uint16_t>(any(0, num_tenants - 1)));
        out.jobs.pool.push_back(has_started(state)
                                    ? static_cast<std::uint16_t>(any(0, num_pools - 1))
                                    : std::uint16_t{});
        const std::int64_t fifth = out.pools[out.jobs.pool.back()].num_gpus() / max_jobs;
        out.jobs.gpus.push_back(static_cast<std::uint32_t>(any(1, fifth)));
        out.jobs.submit_ms.push_back(submit);
        out.jobs.start_ms.push_back(start);
        out.jobs.finish_ms.push_back(finish);
        out.jobs.work_ms.push_back(std::max<std::int64_t>(finish - start, 0));
        out.jobs.ideal_ms.push_back(any(0, out.end.count()));
        if (has_stalls)
            out.jobs.stalled_slots.push_back(
                is_kept(state) ? any(0, out.jobs.gpus.back() * slots_per_gpu) : 0);
        ++out.metrics.jobs_finished;
        out.metrics.jct = {.count = out.metrics.jobs_finished, .sum = finish, .max = finish};
        for (const Percentile& one : percentiles)
            out.metrics.jct.*one.hundredths = int128{finish} * one.percent;
        out.metrics.makespan = Duration{finish};
    }
    if (any(0, 1) == 1) {
        out.modelled.push_back({random_text(),
                                random_text(),
                                static_cast<std::uint32_t>(any(1, 512)),
                                static_cast<std::uint32_t>(any(0, num_pools - 1)),
                                Duration{any(0, 100'000'000)},
                                {},
                                {}});
        if (any(0, 1) == 1) {
            out.modelled.back().range_low = 1 - static_cast<double>(any(0, 1000)) / 7e3;
            out.modelled.back().range_high = 1 + static_cast<double>(any(0, 1000)) / 7e3;
        }
        for (const JobState state : out.jobs.state)
            out.jobs.modelled.push_back(has_started(state) ? static_cast<std::uint16_t>(any(0, 1))
                                                           : std::uint16_t{});
    }
    const bool has_levels = any(0, 1) == 1;
    if (has_levels)
        out.jobs.level.assign(out.jobs.size(), 1);
    if (any(0, 1) == 1)
        preempt_some(out);
    if (any(0, 1) == 1)
        place_all(out);
    phase_all(out);
    if (any(0, 1) == 1) {
        for (std::size_t job = 0; job < out.jobs.size(); ++job)
            out.jobs.believed_cost.push_back(any(0, 3'000'000'000));
        for (std::size_t i = 0; i < out.stopped.size(); ++i)
            out.stopped.believed_cost.push_back(any(0, 3'000'000'000));
    }
    if (any(0, 1) == 1) {
        for (std::size_t job = 0; job < out.jobs.size(); ++job)
            out.jobs.deadline_ms.push_back(any(0, 2) == 0 ? 0 : any(1, 2 * out.end.count() + 1));
        if (any(0, 1) == 0) {
            out.classes = {random_text(), random_text()};
            for (std::size_t job = 0; job < out.jobs.size(); ++job)
                out.jobs.job_class.push_back(static_cast<std::uint16_t>(any(0, 1)));
        }
    }
    if (any(0, 1) == 1) {
        const bool has_others = any(0, 1) == 1;
        for (std::size_t job = 0; job < out.jobs.size(); ++job) {
            out.jobs.wait_turn_ms.push_back(any(0, 1'000));
            if (has_others) {
                out.jobs.wait_place_ms.push_back(any(0, 1'000));
                out.jobs.wait_nodes_ms.push_back(any(0, 1'000));
            }
        }
    }
    out.num_started = out.stopped.size();
    for (const JobState state : out.jobs.state) {
        out.num_started += has_started(state) && state != JobState::preempted ? 1 : 0;
        out.num_finished += has_finished(state) ? 1 : 0;
    }
    book_all(out);
    out.metrics.attempts = {.count = 1, .sum = 2, .max = any(1, 9)};
    for (const Percentile& one : percentiles)
        out.metrics.attempts.*one.hundredths = 100;
    out.metrics.preempted_without_progress = static_cast<std::uint64_t>(any(0, 9));
    out.metrics.queue = {out.end, any(0, 1000), any(0, 1000), 1, 2, 3, 4};
    if (any(0, 1) == 1)
        out.metrics.deadlines = Deadlines{9, static_cast<std::uint64_t>(any(0, 4)), 2, 3, 1, 0};
    if (any(0, 1) == 1)
        out.metrics.staging = StagingUse{4, 1, any(0, 1000), any(0, 1000), any(0, 1000)};
    if (any(0, 1) == 1)
        out.metrics.place_wait = PlaceWait{any(0, 1000), any(0, 1000)};
    if (any(0, 1) == 1)
        out.metrics.level_effect = LevelEffect{any(0, 1000), any(0, 1000)};
    std::int64_t time = 0;
    for (std::int64_t row = any(0, 6); row > 0; --row) {
        time += any(0, 5'000'000);
        const std::int64_t pool = any(0, num_pools - 1);
        out.timeline.time_ms.push_back(time);
        out.timeline.pool.push_back(static_cast<std::uint32_t>(pool));
        out.timeline.allocated_slots.push_back(
            any(0, out.pools[static_cast<std::size_t>(pool)].num_gpus() * slots_per_gpu));
        out.timeline.queue_jobs.push_back(static_cast<std::uint32_t>(any(0, 9)));
        out.timeline.queue_slots.push_back(any(0, 99'000));
    }
    if (any(0, 3) == 0)
        out.repeats = Repeats{2,
                              {{"cost.total", 2, 0.1, 0.0, 0.2, 0.3, std::nullopt, 0.7},
                               {"metrics.jct_s.mean",
                                1,
                                0.3,
                                0.3,
                                0.3,
                                std::nullopt,
                                std::nullopt,
                                std::nullopt,
                                {std::nullopt, 0.3}}}};
    return out;
}

} // namespace bursar::test
