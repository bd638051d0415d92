#include "reports/summary/uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "reports/result/job_holding.hpp"
#include "reports/rounding/printed_units.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

/// "38.8 d": a tenth of the unit, because the error stands beside it.
std::string fine_span(Duration span) {
    const double hours = static_cast<double>(span.count()) / 3'600'000;
    if (hours >= 24)
        return fmt::format("{:.1f} d", hours / 24);
    return hours >= 1 ? fmt::format("{:.1f} h", hours) : span_text(span);
}

std::string gpu_hours(SlotTime held) {
    return grouped_text(divide_half_up(held.count() * 10, slot_ms_per_gpu_hour), 1);
}

/// "1,234.56 USD +- 185.18"
std::string dollars(Money cost, const std::optional<double>& error) {
    const int128 cents = divide_half_up(cost.count() * 100, money_per_usd);
    std::string text = grouped_text(cents, 2) + " USD";
    if (error)
        text += fmt::format(
            " +- {}",
            grouped_text(static_cast<int128>(std::llround(static_cast<double>(cents) * *error)),
                         2));
    return text;
}

std::string jobs_text(std::uint64_t jobs) {
    return fmt::format("{} job{}", grouped_text(jobs, 0), jobs == 1 ? "" : "s");
}

std::string sentence(const Result& result, const ModelledRun& run, const ModelledSum& sum) {
    std::string text = fmt::format("{} on {} GPU{} of pool {}: {} {} ({} stack {})",
                                   run.model,
                                   run.gpus,
                                   run.gpus == 1 ? "" : "s",
                                   result.pools[run.pool].name,
                                   fine_span(run.run_time),
                                   plus_minus(run.error),
                                   run.error ? "held-out error of" : "no measurement tested",
                                   run.stack);
    if (sum.jobs > 0)
        text += fmt::format("; {}{}, {} GPU-hours, {}",
                            jobs_text(sum.jobs),
                            sum.unfinished == 0 ? ""
                                                : fmt::format(" ({} cut off by the end of the run)",
                                                              grouped_text(sum.unfinished, 0)),
                            gpu_hours(sum.held),
                            dollars(sum.cost, sum.unfinished == 0 ? run.error : std::nullopt));
    return text;
}

} // namespace

std::vector<ModelledSum> modelled_sums(const Result& result) {
    std::vector<ModelledSum> sums(result.modelled.size());
    const std::vector<StoppedSum> stopped = stopped_sums(result);
    for (std::size_t job = 0; job < result.jobs.modelled.size(); ++job) {
        if (result.jobs.modelled[job] == 0 || !has_started(result.jobs.state[job]))
            continue;
        ModelledSum& sum = sums[result.jobs.modelled[job] - 1];
        const StoppedSum earlier = stopped.empty() ? StoppedSum{} : stopped[job];
        ++sum.jobs;
        sum.unfinished += has_finished(result.jobs.state[job]) ? 0 : 1;
        sum.held += held_by(result, job, earlier);
        sum.cost += cost_of(result, job, earlier);
    }
    return sums;
}

std::vector<std::string> uncertainty_sentences(const Result& result) {
    constexpr std::size_t max_listed = 4;
    const std::vector<ModelledSum> sums = modelled_sums(result);
    std::vector<std::size_t> order(sums.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (std::ranges::any_of(sums, [](const ModelledSum& sum) { return sum.jobs > 0; }))
        std::erase_if(order, [&](std::size_t i) { return sums[i].jobs == 0; });
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return sums[a].cost > sums[b].cost; });
    std::vector<std::string> sentences;
    for (std::size_t i = 0; i < std::min(order.size(), max_listed); ++i)
        sentences.push_back(sentence(result, result.modelled[order[i]], sums[order[i]]));
    if (order.size() > max_listed) {
        ModelledSum rest;
        for (std::size_t i = max_listed; i < order.size(); ++i) {
            rest.jobs += sums[order[i]].jobs;
            rest.cost += sums[order[i]].cost;
        }
        sentences.push_back(fmt::format("{} more modelled run times of {}, {}",
                                        order.size() - max_listed,
                                        jobs_text(rest.jobs),
                                        dollars(rest.cost, std::nullopt)));
    }
    return sentences;
}

std::optional<double> modelled_error_usd(const Result& result) {
    constexpr double mean_errors_in_95_percent = 1.959964 * 1.253314; // of a normal error
    if (result.modelled.empty())
        return std::nullopt;
    const std::vector<ModelledSum> sums = modelled_sums(result);
    double usd = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (sums[i].jobs == 0)
            continue;
        if (!result.modelled[i].error || sums[i].unfinished > 0)
            return std::nullopt;
        usd += static_cast<double>(divide_half_up(sums[i].cost.count(), money_per_micro_usd)) /
               1e6 * *result.modelled[i].error;
    }
    return usd * mean_errors_in_95_percent;
}

std::string plus_minus(std::optional<double> share) {
    if (!share)
        return "+- unknown";
    const double percent = 100 * *share;
    return percent < 9.95 ? fmt::format("+- {:.1f} %", percent)
                          : fmt::format("+- {:.0f} %", percent);
}

}} // namespace bursar::reports
