#include "reports/summary/sentences.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "reports/bill/burn_rate.hpp"
#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/scalars/scalar_text.hpp"
#include "reports/summary/repeat_lines.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

std::string percent(const std::optional<Fraction>& fraction) {
    return fraction ? grouped_text(fraction->permille(), 1) + " %" : "-";
}

/// Whole dollars from ten dollars on, cents below.
std::string dollars(int128 cents) {
    return fmt::format("${}",
                       cents >= 1000 ? grouped_text(divide_half_up(cents, 100), 0)
                                     : grouped_text(cents, 2));
}

std::string count_text(std::uint64_t count) {
    return grouped_text(count, 0);
}

/// "1 job", "2 jobs"
std::string counted(std::uint64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count_text(count), noun, count == 1 ? "" : "s");
}

struct Spread {
    std::string mean, p50, p99;
};

Spread spread_of(const Distribution& values) {
    const auto span = [](std::optional<int128> hundredths) -> std::string {
        if (!hundredths)
            return "-";
        return span_text(Duration{static_cast<std::int64_t>(divide_half_up(*hundredths, 100))});
    };
    return {span(divide_half_up(values.sum * 100, values.count)),
            span(values.p50_hundredths),
            span(values.p99_hundredths)};
}

/// "wait mean 22 min, p50 0 s, p99 5.1 h (with 108 unfinished: at least 2.1 h, 0 s, 20 h)"; empty
/// for no jobs. at_least: with those unfinished, none where it is not known.
std::string
spread_text(std::string_view title, const Distribution& finished, const Distribution& at_least) {
    std::string text;
    if (finished.count > 0) {
        const Spread known = spread_of(finished);
        text = fmt::format("{} mean {}, p50 {}, p99 {}", title, known.mean, known.p50, known.p99);
    }
    if (at_least.count <= finished.count)
        return text;
    const Spread least = spread_of(at_least);
    if (text.empty())
        return fmt::format("{} of {} unfinished at least mean {}, p50 {}, p99 {}",
                           title,
                           count_text(at_least.count),
                           least.mean,
                           least.p50,
                           least.p99);
    return text + fmt::format(" (with {} unfinished: at least {}, {}, {})",
                              count_text(at_least.count - finished.count),
                              least.mean,
                              least.p50,
                              least.p99);
}

/// "49 jobs waited for others before: mean 5.1 h, at most 12 h"; empty where none did. Over the
/// measured jobs that became eligible.
std::string dependency_text(const Result& result) {
    const JobColumns& jobs = result.jobs;
    std::vector<std::int64_t> waits;
    for (std::size_t job = 0; job < jobs.eligible_ms.size(); ++job)
        if (result.measures(job) && !is_never_eligible(jobs.state[job]) &&
            jobs.eligible_ms[job] > jobs.submit_ms[job])
            waits.push_back(jobs.eligible_ms[job] - jobs.submit_ms[job]);
    if (waits.empty())
        return {};
    const Distribution all = distribution_of(waits);
    return fmt::format("{} waited for others before: mean {}, at most {}",
                       counted(all.count, "job"),
                       spread_of(all).mean,
                       span_text(Duration{all.max}));
}

std::string cents_text(int128 micro) {
    constexpr int128 micro_per_cent = 10'000;
    return grouped_text(divide_half_up(micro, micro_per_cent), 2);
}

} // namespace

std::string span_sentence(const Result& result) {
    std::string span = span_text(result.end);
    if (!result.covers_run())
        span += fmt::format(", measured from {} to {}",
                            span_text(result.window_begin),
                            span_text(result.window_end));
    if (!result.zero_utc_ms)
        return span;
    return readable_instant(result.zero_utc_ms, Duration{}) + " + " + span;
}

std::string period_sentence(const Result& result) {
    constexpr std::int64_t ms_per_unit = hour.count() / 10'000;
    const Duration span = result.window_end - result.window_begin;
    return fmt::format("Period: {} to {}, {} h",
                       readable_instant(result.zero_utc_ms, result.window_begin),
                       readable_instant(result.zero_utc_ms, result.window_end),
                       grouped_text(divide_half_up(int128{span.count()}, ms_per_unit), 4));
}

std::string policy_sentence(const Result& result) {
    const PolicyLabels& policy = result.run.policy;
    const std::string fit = policy.capacity == "count"
                                ? "capacity count"
                                : fmt::format("placement {}", policy.placement);
    std::string out = policy.allocator.empty()
                          ? fmt::format("queue {}, head {}", policy.queue, policy.head)
                          : fmt::format("allocator {}", policy.allocator);
    out += fmt::format(", {}", fit);
    for (const auto& [what, label, usual] : {std::tuple{"broker", &policy.broker, "owned-first"},
                                             std::tuple{"backfill", &policy.backfill, "none"},
                                             std::tuple{"preemption", &policy.preemption, "none"},
                                             std::tuple{"estimates", &policy.estimates, "exact"},
                                             std::tuple{"precision", &policy.precision, "as-given"},
                                             std::tuple{"staging", &policy.staging, "none"},
                                             std::tuple{"rounds", &policy.rounds, ""},
                                             std::tuple{"preset", &policy.preset, ""}})
        if (!label->empty() && *label != usual)
            out += fmt::format(", {} {}", what, *label);
    return out;
}

std::string goodput_sentence(const Result& result) {
    const Ratios all = ratios(leaf_sums(result));
    return fmt::format("goodput {} = allocation {} x runtime {} x program {}",
                       percent(all.goodput),
                       percent(all.allocation),
                       percent(all.runtime_goodput),
                       percent(all.program_goodput));
}

std::string jobs_sentence(const Result& result) {
    std::string out = counted(result.num_finished, "job") + " finished";
    if (result.num_running_at_end > 0)
        out += fmt::format(", {} still running", count_text(result.num_running_at_end));
    if (result.num_queued_at_end > 0)
        out += fmt::format(", {} still queued", count_text(result.num_queued_at_end));
    if (const auto dependent = std::ranges::count(result.jobs.state, JobState::dependent);
        dependent > 0)
        out += fmt::format(", {} never eligible, as the jobs that {} for have not ended",
                           count_text(static_cast<std::uint64_t>(dependent)),
                           dependent == 1 ? "it waits" : "they wait");
    for (const auto& [state, word] : {std::pair{JobState::rejected, "rejected"},
                                      std::pair{JobState::dropped, "dropped from the queue"}})
        if (const auto num = std::ranges::count(result.jobs.state, state); num > 0)
            out += fmt::format(", {} {}, as {} cannot meet {} deadline",
                               count_text(static_cast<std::uint64_t>(num)),
                               word,
                               num == 1 ? "it" : "they",
                               num == 1 ? "its" : "their");
    if (result.metrics.jobs_finished != result.num_finished)
        out += fmt::format(", {} of the finished jobs measured",
                           count_text(result.metrics.jobs_finished));
    return out;
}

std::vector<std::string> wait_sentences(const Result& result) {
    const Metrics& metrics = result.metrics;
    std::vector<std::string> out{spread_text("wait", metrics.wait, metrics.wait_at_least),
                                 spread_text("JCT", metrics.jct, metrics.jct_at_least)};
    out.push_back(dependency_text(result));
    if (metrics.preemptions > 0)
        out.push_back(spread_text("wait of high-priority jobs", metrics.priority_wait, {}));
    out.push_back(p99_note(metrics.jct.count));
    std::erase(out, "");
    return out;
}

std::string placement_sentence(const Result& result) {
    const Metrics& metrics = result.metrics;
    if (!metrics.place_wait || !metrics.level_effect)
        return "";
    const auto gpu_hours = [](int128 slot_ms) {
        constexpr int128 slot_ms_per_tenth = int128{360'000} * slots_per_gpu;
        return grouped_text(divide_half_up(slot_ms, slot_ms_per_tenth), 1);
    };
    return fmt::format("placement: {} GPU-hours waiting for it, {} gained over the widest spread, "
                       "{} lost to the narrowest",
                       gpu_hours(metrics.place_wait->slot_ms),
                       gpu_hours(metrics.level_effect->gained_slot_ms),
                       gpu_hours(metrics.level_effect->lost_slot_ms));
}

std::string preemption_sentence(const Result& result) {
    const Metrics& metrics = result.metrics;
    std::string out;
    if (metrics.preemptions > 0)
        out += counted(metrics.preemptions, "preemption") + ", ";
    if (metrics.migrations > 0)
        out += counted(metrics.migrations, "migration") + ", ";
    if (metrics.resizes > 0)
        out += counted(metrics.resizes, "resize") + ", ";
    if (out.empty())
        return "";
    out += counted(metrics.restarts, "restart");
    if (metrics.preempted_without_progress > 0)
        out += fmt::format(", {} without progress", count_text(metrics.preempted_without_progress));
    return out;
}

std::string deadline_sentence(const Result& result) {
    const std::optional<Deadlines>& deadlines = result.metrics.deadlines;
    if (!deadlines || deadlines->jobs == 0)
        return "";
    std::string out = fmt::format("missed by {} of the {} that have one",
                                  deadlines->missed == 0 ? "none" : count_text(deadlines->missed),
                                  counted(deadlines->jobs, "job"));
    if (deadlines->rejected > 0)
        out +=
            fmt::format(", {} of them rejected at their submit", count_text(deadlines->rejected));
    if (deadlines->dropped > 0)
        out += fmt::format(", {} of them dropped from the queue", count_text(deadlines->dropped));
    if (deadlines->failed > 0)
        out += fmt::format("; {} failed before", count_text(deadlines->failed));
    if (deadlines->open > 0)
        out += fmt::format("; of {} it is not known (cancelled, or unfinished at the end)",
                           count_text(deadlines->open));
    return out;
}

std::string staging_sentence(const Result& result) {
    const std::optional<StagingUse>& staging = result.metrics.staging;
    if (!staging || staging->used + staging->for_nothing == 0)
        return "";
    constexpr int128 slot_ms_per_tenth = int128{360'000} * slots_per_gpu;
    const auto gpu_hours = [](int128 slot_ms) {
        return grouped_text(divide_half_up(slot_ms, slot_ms_per_tenth), 1);
    };
    return fmt::format("staged ahead for {}, which saved {} GPU-hours of start-up and kept it on "
                       "disks for {}; {} for nothing, {} GPU-hours of staging",
                       counted(staging->used, "start"),
                       gpu_hours(staging->saved_slot_ms),
                       gpu_hours(staging->kept_slot_ms),
                       count_text(staging->for_nothing),
                       gpu_hours(staging->wasted_slot_ms));
}

std::vector<std::string> price_sentences(const Result& result) {
    std::vector<std::string> out;
    for (std::size_t p = 0; p < std::min(result.pools.size(), result.run.price_basis.size()); ++p)
        if (const std::string& basis = result.run.price_basis[p];
            std::ranges::find(plain_price_bases, basis) == std::end(plain_price_bases))
            out.push_back(result.pools[p].name + ": " + basis);
    return out;
}

std::string burn_sentence(const Result& result) {
    const auto burn = burn_rate(result);
    if (!burn)
        return "";
    const std::string mean = dollars(burn->mean_cents) + "/h on average";
    return burn->p95_cents ? mean + ", p95 " + dollars(*burn->p95_cents) + "/h" : mean;
}

std::string sharing_sentence(ShareIdle mode) {
    switch (mode) {
    case ShareIdle::none:
        break;
    case ShareIdle::even:
        return "idle time is charged to all tenants equally";
    case ShareIdle::usage:
        return "idle time is charged to tenants by their allocated GPU-hours";
    case ShareIdle::quota:
        return fmt::format(
            "idle time is charged to tenants by quota; none has one, so it stays in {}",
            idle_row_name);
    }
    return "";
}

std::string unpriced_sentence(const Result& result) {
    std::string out;
    for (const ResultPool& pool : result.pools) {
        if (pool.price.is_free())
            out += (out.empty() ? "" : ", ") + pool.name;
    }
    return out.empty() ? out : out + " (0 USD per GPU-hour)";
}

std::string run_sentence(const Result& result, const OutputOptions& options) {
    std::string out = counted(result.events, "event");
    if (!options.reproducible && result.run.wall.count() > 0) {
        const int128 centiseconds = divide_half_up(result.run.wall.count(), 10'000'000);
        out += fmt::format(" in {} s", grouped_text(centiseconds, 2));
    }
    return out + fmt::format(", fingerprint {:016x}", result.fingerprint);
}

std::string currency_sentence(const Result& result) {
    if (!result.run.currency)
        return "";
    const BillCurrency& currency = *result.run.currency;
    const CurrencyTotals totals = totals_in_currency(result, print_bill(result));
    std::string text = "total " + cents_text(totals.total);
    if (!result.run.other_costs.empty())
        text += fmt::format(
            ", of it paid {} and other {}", cents_text(totals.paid), cents_text(totals.other));
    if (result.repeats)
        text += ", of " + seed_title(result);
    text += fmt::format(", at {:.9g} USD{}{}",
                        static_cast<double>(currency.nano_usd) / nano_usd_per_usd,
                        currency.day.empty() ? ", of no date" : " as of " + currency.day,
                        currency.source.empty() ? "" : " (" + currency.source + ")");
    return text;
}

}} // namespace bursar::reports
