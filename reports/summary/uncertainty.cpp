#include "reports/summary/uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>

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

constexpr double mean_errors_in_95_percent = 1.959964 * 1.253314; // of a normal error

double usd_of(Money cost) {
    return static_cast<double>(divide_half_up(cost.count(), money_per_micro_usd)) / 1e6;
}

/// Adds what a cost is off if a modelled run time is. Precondition: its error is known.
void add_error(const Result& result,
               std::size_t modelled,
               Money cost,
               std::vector<ModelledError>& errors) {
    const ModelledRun& run = result.modelled[modelled];
    const std::string of = fmt::format("{} on {}", run.stack, result.pools[run.pool].gpu);
    auto place = std::ranges::find(errors, of, &ModelledError::of);
    if (place == errors.end())
        place = errors.insert(errors.end(), {of, 0});
    place->usd += usd_of(cost) * *run.error * mean_errors_in_95_percent;
}

/// Of the modelled run times in the pool where the last job finished, the one with the largest
/// error, or with none that is known. Absent: no model timed a job there.
std::optional<std::size_t> run_that_decides_the_end(const Result& result,
                                                    const std::vector<ModelledSum>& sums) {
    std::optional<std::size_t> last;
    for (std::size_t job = 0; job < result.jobs.size(); ++job)
        if (has_finished(result.jobs.state[job]) &&
            (!last || result.jobs.finish_ms[job] > result.jobs.finish_ms[*last]))
            last = job;
    std::optional<std::size_t> deciding;
    constexpr double unknown = std::numeric_limits<double>::infinity();
    const auto error = [&](std::size_t run) {
        return result.modelled[run].error.value_or(unknown);
    };
    for (std::size_t run = 0; last && run < sums.size(); ++run)
        if (sums[run].jobs > 0 && result.modelled[run].pool == result.jobs.pool[*last] &&
            (!deciding || error(run) > error(*deciding)))
            deciding = run;
    return deciding;
}

/// What pools cost that are paid for until the end of the run, used or not. A reserved pool whose
/// terms last longer than the run would if it were that much longer costs the same.
/// error: mean absolute one of the run's length, as a share.
Money cost_by_length(const Result& result, double error) {
    std::vector<Money> paid(result.pools.size());
    std::vector<Money> rest_of_terms(result.pools.size());
    for (const ResultCell& cell : result.cells) {
        const bool is_rest = cell.leaf == Leaf::unavail_reserved_unlaunched;
        (is_rest ? rest_of_terms : paid)[cell.pool] += cell.cost;
    }
    Money sum;
    for (std::size_t pool = 0; pool < result.pools.size(); ++pool) {
        const bool is_within_terms =
            result.pools[pool].purchase == Purchase::reserved && rest_of_terms[pool] > Money{} &&
            usd_of(rest_of_terms[pool]) >= usd_of(paid[pool]) * error * mean_errors_in_95_percent;
        if (result.pools[pool].keeps_all() && !is_within_terms)
            sum += paid[pool];
    }
    return sum;
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

std::optional<std::vector<ModelledError>> modelled_errors(const Result& result) {
    const std::vector<ModelledSum> sums = modelled_sums(result);
    std::vector<ModelledError> errors;
    for (std::size_t run = 0; run < sums.size(); ++run) {
        if (sums[run].jobs == 0 || result.pools[result.modelled[run].pool].keeps_all())
            continue;
        if (!result.modelled[run].error || sums[run].unfinished > 0)
            return std::nullopt;
        add_error(result, run, sums[run].cost, errors);
    }
    const bool ends_with_jobs = !result.ends_by_scenario && result.window_end == result.end;
    const auto deciding = ends_with_jobs ? run_that_decides_the_end(result, sums) : std::nullopt;
    if (!deciding)
        return errors;
    if (!result.modelled[*deciding].error)
        return std::nullopt;
    add_error(result, *deciding, cost_by_length(result, *result.modelled[*deciding].error), errors);
    return errors;
}

std::optional<double> modelled_error_usd(const Result& result) {
    const auto errors = modelled_errors(result);
    if (result.modelled.empty() || !errors)
        return std::nullopt;
    return error_of_difference({}, *errors);
}

double error_of_difference(std::span<const ModelledError> base,
                           std::span<const ModelledError> other) {
    std::map<std::string_view, double> by_stack;
    for (const ModelledError& error : other)
        by_stack[error.of] += error.usd;
    for (const ModelledError& error : base)
        by_stack[error.of] -= error.usd;
    double squares = 0;
    for (const auto& [of, usd] : by_stack)
        squares += usd * usd;
    return std::sqrt(squares);
}

std::optional<double> modelled_error_usd(const Result& base, const Result& other) {
    const auto of_base = modelled_errors(base);
    const auto of_other = modelled_errors(other);
    if (!of_base || !of_other)
        return std::nullopt;
    return error_of_difference(*of_base, *of_other);
}

std::string plus_minus(std::optional<double> share) {
    if (!share)
        return "+- unknown";
    const double percent = 100 * *share;
    return percent < 9.95 ? fmt::format("+- {:.1f} %", percent)
                          : fmt::format("+- {:.0f} %", percent);
}

}} // namespace bursar::reports
