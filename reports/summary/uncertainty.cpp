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

/// "1,234.56 USD, 1,049.38 to 1,481.47"
std::string dollars(Money cost, const std::optional<ErrorRange>& range) {
    const int128 cents = divide_half_up(cost.count() * 100, money_per_usd);
    std::string text = grouped_text(cents, 2) + " USD";
    const auto times = [cents](double share) {
        return grouped_text(static_cast<int128>(std::llround(static_cast<double>(cents) * share)),
                            2);
    };
    if (range)
        text += fmt::format(", {} to {}", times(range->low), times(range->high));
    return text;
}

std::string jobs_text(std::uint64_t jobs) {
    return fmt::format("{} job{}", grouped_text(jobs, 0), jobs == 1 ? "" : "s");
}

std::string sentence(const Result& result, const ModelledRun& run, const ModelledSum& sum) {
    std::string text = fmt::format("{} on {} GPU{} of pool {}: {}, {} (stack {})",
                                   run.model,
                                   run.gpus,
                                   run.gpus == 1 ? "" : "s",
                                   result.pools[run.pool].name,
                                   fine_span(run.run_time),
                                   range_text(run.range()),
                                   run.stack);
    if (sum.jobs > 0)
        text += fmt::format("; {}{}, {} GPU-hours, {}",
                            jobs_text(sum.jobs),
                            sum.unfinished == 0 ? ""
                                                : fmt::format(" ({} cut off by the end of the run)",
                                                              grouped_text(sum.unfinished, 0)),
                            gpu_hours(sum.held),
                            dollars(sum.cost, sum.unfinished == 0 ? run.range() : std::nullopt));
    return text;
}

double usd_of(Money cost) {
    return static_cast<double>(divide_half_up(cost.count(), money_per_micro_usd)) / 1e6;
}

/// Adds an error of a modelled run time.
void add_error(const Result& result,
               std::size_t modelled,
               double usd,
               std::vector<ModelledError>& errors) {
    const ModelledRun& run = result.modelled[modelled];
    const std::string of = fmt::format("{} on {} {}, {} ms, stack {}",
                                       run.model,
                                       run.gpus,
                                       result.pools[run.pool].gpu,
                                       run.run_time.count(),
                                       run.stack);
    auto place = std::ranges::find(errors, of, &ModelledError::of);
    if (place == errors.end())
        place = errors.insert(errors.end(), {of, 0});
    place->usd += usd;
}

/// How much longer a run is, as a share of it, if one of its run times is.
struct Extension {
    std::size_t modelled{};
    double share{};
};

/// The modelled run time that may make the run the longest: of each, the last job that finished
/// would do so later by its error. Absent: none would finish after the end. Precondition: the
/// errors of those that finished are known.
std::optional<Extension> longest_extension(const Result& result) {
    std::vector<std::int64_t> last_ms(result.modelled.size());
    for (std::size_t job = 0; job < result.jobs.size(); ++job)
        if (has_finished(result.jobs.state[job]) && result.jobs.modelled[job] > 0) {
            std::int64_t& last = last_ms[result.jobs.modelled[job] - 1U];
            last = std::max(last, result.jobs.finish_ms[job]);
        }
    std::optional<Extension> longest;
    for (std::size_t run = 0; run < last_ms.size(); ++run) {
        const double later = 1 + result.modelled[run].error().value_or(0) * error_95_over_80;
        const double share =
            static_cast<double>(last_ms[run]) * later / static_cast<double>(result.end.count()) - 1;
        if (share > (longest ? longest->share : 0))
            longest = Extension{run, share};
    }
    return longest;
}

/// What the nodes cost that a pool keeps, used or not, and the rest of its terms.
struct KeptCost {
    Money paid{};          ///< without that rest
    Money rest_of_terms{}; ///< paid for after the run
    double share{};        ///< of what the pool paid
};

std::vector<KeptCost> kept_costs(const Result& result) {
    std::vector<KeptCost> out(result.pools.size());
    std::vector<Money> paid(result.pools.size());
    for (const ResultCell& cell : result.cells) {
        const bool is_rest = cell.leaf == Leaf::unavail_reserved_unlaunched &&
                             result.pools[cell.pool].purchase == Purchase::reserved;
        (is_rest ? out[cell.pool].rest_of_terms : paid[cell.pool]) += cell.cost;
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        const ResultPool& pool = result.pools[i];
        out[i].paid = pool.keeps_all()
                          ? paid[i]
                          : std::min(paid[i],
                                     pool.price.cost(std::int64_t{pool.nodes->min} *
                                                         pool.gpus_per_node * slots_per_gpu,
                                                     result.window_begin,
                                                     result.window_end));
        out[i].share = pool.keeps_all()    ? 1
                       : paid[i] > Money{} ? usd_of(out[i].paid) / usd_of(paid[i])
                                           : 0;
    }
    return out;
}

/// What kept nodes cost more if the run is longer by a share. A pool whose terms last that long
/// costs the same; where they do not, one more term is not counted.
double cost_of_extension(const std::vector<KeptCost>& kept, double share) {
    double usd = 0;
    for (const KeptCost& pool : kept) {
        const double more = usd_of(pool.paid) * share;
        usd += usd_of(pool.rest_of_terms) >= more && pool.rest_of_terms > Money{} ? 0 : more;
    }
    return usd;
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
    const auto starts = [](const ModelledSum& sum) { return sum.jobs > 0; };
    if (std::ranges::none_of(sums, starts))
        return std::vector<ModelledError>{};
    if (!result.ends_by_scenario || result.window_begin > Duration{})
        return std::nullopt;
    const std::vector<KeptCost> kept = kept_costs(result);
    const bool ends_with_jobs = !*result.ends_by_scenario && result.window_end == result.end;
    std::vector<ModelledError> errors;
    for (std::size_t run = 0; run < sums.size(); ++run) {
        const double share = 1 - kept[result.modelled[run].pool].share; // on launched nodes
        if (!starts(sums[run]) || (share == 0 && !ends_with_jobs))
            continue;
        const bool is_cut = sums[run].unfinished > 0 || result.window_end < result.end;
        if (!result.modelled[run].error() || (share > 0 && is_cut))
            return std::nullopt;
        if (share > 0)
            add_error(result,
                      run,
                      usd_of(sums[run].cost) * share * *result.modelled[run].error() *
                          error_95_over_80,
                      errors);
    }
    const auto longer = ends_with_jobs ? longest_extension(result) : std::nullopt;
    if (longer)
        add_error(result, longer->modelled, cost_of_extension(kept, longer->share), errors);
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
    std::map<std::string_view, double> by_run;
    for (const ModelledError& error : other)
        by_run[error.of] += error.usd;
    for (const ModelledError& error : base)
        by_run[error.of] -= error.usd;
    double squares = 0;
    for (const auto& [of, usd] : by_run)
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

std::string range_text(const std::optional<ErrorRange>& range) {
    if (!range)
        return "range not known";
    const auto percent = [](double share) {
        return std::abs(share) < 0.0995 ? fmt::format("{:+.1f}", 100 * share)
                                        : fmt::format("{:+.0f}", 100 * share);
    };
    return fmt::format(
        "{} to {} % in 80 % of cases", percent(range->low - 1), percent(range->high - 1));
}

}} // namespace bursar::reports
