#include "reports/compare/comparison.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/record/fingerprint.hpp"

#include "reports/bill/tenant_shares.hpp"
#include "reports/repeats/mean_difference.hpp"
#include "reports/result/result.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

ScalarPairs
pairs_with(const ComparedVariant& base, const ComparedVariant& variant, std::size_t scalar) {
    std::vector<std::optional<double>> of_base;
    std::vector<std::optional<double>> of_variant;
    for (std::size_t run = 0; run < base.runs.size(); ++run) {
        assert(variant.runs[run][scalar].name == base.runs[run][scalar].name);
        of_base.push_back(base.runs[run][scalar].value);
        of_variant.push_back(variant.runs[run][scalar].value);
    }
    return pairs_of(of_base, of_variant);
}

/// The verdict on a clear difference. difference: not 0.
Verdict clear_verdict(Better side, double difference) {
    const bool less = difference < 0;
    switch (side) {
    case Better::lower:
        return less ? Verdict::better : Verdict::worse;
    case Better::higher:
        return less ? Verdict::worse : Verdict::better;
    case Better::neither:
        break;
    }
    return less ? Verdict::lower : Verdict::higher;
}

Verdict verdict_on(const Difference& difference,
                   const ScalarPairs& pairs,
                   const ScalarRow& scalar,
                   bool random) {
    if (difference.pairs == 0)
        return Verdict::unknown;
    const double rounding = resolution(scalar.kind) * (1 + 1e-6); // of decimals as doubles
    if (std::ranges::all_of(pairs.difference, [&](double d) { return std::abs(d) <= rounding; }) &&
        (!random || difference.pairs > 1))
        return Verdict::equal;
    if (!difference.ci_low)
        return random ? Verdict::unknown : clear_verdict(scalar.better, difference.mean);
    if (*difference.ci_low > 0 || *difference.ci_high < 0)
        return clear_verdict(scalar.better, difference.mean);
    return Verdict::no_clear_difference;
}

bool has_same_finished(const ComparedVariant& base, const ComparedVariant& variant) {
    const auto all_finished = [](const ComparedVariant& one) {
        return std::ranges::all_of(one.finished,
                                   [](const FinishedJobs& jobs) { return jobs.unfinished == 0; });
    };
    const bool other_workload = std::ranges::any_of(variant.settings, [](const auto& setting) {
        return setting.first == "workload" || setting.first.starts_with("workload.");
    });
    return variant.finished == base.finished ||
           (other_workload && all_finished(variant) && all_finished(base));
}

/// Work at reference speed, or something per unit of it.
bool is_of_work(const ScalarRow& scalar) {
    return scalar.name.find("work_gpu_hour") != std::string::npos;
}

/// GPU-hours, a share of them, or something per GPU-hour.
bool is_of_gpu_hours(const ScalarRow& scalar) {
    return scalar.name.starts_with("ratios.") ||
           (scalar.name.find("gpu_hour") != std::string::npos && !is_of_work(scalar));
}

/// What grows with the length of a run alone.
bool grows_with_the_run(const ScalarRow& scalar) {
    return scalar.name.starts_with("cost.") || scalar.name.starts_with("gpu_hours.");
}

/// Whether no run has the jobs of the base's with another hash of their work.
bool has_same_work(const ComparedVariant& base,
                   const ComparedVariant& variant,
                   std::uint64_t WorkloadHashes::*work) {
    for (std::size_t run = 0; run < std::min(base.workloads.size(), variant.workloads.size());
         ++run)
        if (base.workloads[run].jobs == variant.workloads[run].jobs &&
            base.workloads[run].*work != variant.workloads[run].*work)
            return false;
    return true;
}

Difference difference_of(const MeanDifference& over_pairs) {
    Difference difference;
    difference.pairs = over_pairs.runs;
    difference.mean = over_pairs.mean;
    difference.ci_low = over_pairs.ci_low;
    difference.ci_high = over_pairs.ci_high;
    difference.p = over_pairs.p;
    difference.deciding = over_pairs.deciding;
    if (over_pairs.base != 0)
        difference.relative = difference.mean / over_pairs.base;
    return difference;
}

Difference difference_to(const ComparedVariant& base,
                         const ComparedVariant& variant,
                         std::size_t scalar,
                         const Comparison& comparison,
                         bool same_end) {
    const ScalarPairs pairs = pairs_with(base, variant, scalar);
    const ScalarRow* row = find_scalar(base.runs.front()[scalar].name);
    assert(row != nullptr);
    MeanDifference over_pairs = paired_difference(
        pairs, seed_values(*row), comparison.resampled ? SeedsDraw::samples : SeedsDraw::runs);
    const bool is_cost = row->name == "cost.total";
    const bool knows_errors = base.knows_model_errors && variant.knows_model_errors;
    if (is_cost && knows_errors && (over_pairs.ci_low || !comparison.random))
        if (const double error = error_of_difference(base.model_errors, variant.model_errors);
            error > 0)
            over_pairs = with_error(over_pairs, error);
    Difference difference = difference_of(over_pairs);
    const bool compares = (variant.same_finished || !row->of_finished) &&
                          (variant.same_hours || !is_of_gpu_hours(*row)) &&
                          (variant.same_reference || !is_of_work(*row)) &&
                          (same_end || !grows_with_the_run(*row));
    difference.verdict =
        compares ? verdict_on(difference, pairs, *row, comparison.random) : Verdict::withheld;
    if (compares && is_cost && !knows_errors && !difference.ci_low &&
        difference.verdict != Verdict::equal)
        difference.verdict = Verdict::unknown;
    return difference;
}

/// Notes when the runs end, if that is known.
void note_ends(Comparison& comparison) {
    const std::vector<RunEnding>& of_base = comparison.variants.front().endings;
    for (const ComparedVariant& variant : comparison.variants)
        for (std::size_t run = 0; run < variant.endings.size(); ++run) {
            const RunEnding& ending = variant.endings[run];
            comparison.end = std::max(comparison.end, ending.end);
            comparison.one_end = comparison.one_end && ending.end == of_base.front().end;
            comparison.one_end_a_seed = comparison.one_end_a_seed && ending.end == of_base[run].end;
            comparison.ends_by_scenario = comparison.ends_by_scenario || !ending.by_itself;
            comparison.all_end_by_scenario = comparison.all_end_by_scenario && !ending.by_itself;
        }
}

/// The cost of each run of a variant to the common end of its seed. Not known if it is not for some
/// seed: a mean of the others would be over runs that end last.
RepeatedScalar cost_to_common_ends(const CommonEnds& ends, const ComparedVariant& variant) {
    std::vector<std::vector<Scalar>> costs;
    for (std::size_t run = 0; run < variant.endings.size(); ++run) {
        const auto own = std::ranges::find(variant.runs[run], "cost.total", &Scalar::name);
        const auto total = own == variant.runs[run].end() ? std::nullopt : own->value;
        costs.push_back({{common_end_cost().name, ends.cost_to(run, variant.endings[run], total)}});
    }
    const auto is_known = [](const std::vector<Scalar>& cost) {
        return cost.front().value.has_value();
    };
    if (!std::ranges::all_of(costs, is_known))
        for (std::vector<Scalar>& cost : costs)
            cost.front().value.reset();
    return without_interval(repeats_over(costs).scalars.front());
}

/// Adds common_end_cost() to all variants, if it differs from `cost.total` in some run.
void add_common_end_cost(Comparison& comparison) {
    CommonEnds ends; // by place of the seed
    for (const ComparedVariant& variant : comparison.variants)
        for (std::size_t run = 0; run < variant.endings.size(); ++run)
            ends.add(run, variant.endings[run]);
    const bool differs =
        std::ranges::any_of(comparison.variants, [&](const ComparedVariant& variant) {
            for (std::size_t run = 0; run < variant.endings.size(); ++run)
                if (ends.cost_past(run, variant.endings[run]) != 0.0) // or not known
                    return true;
            return false;
        });
    for (ComparedVariant& variant : comparison.variants) {
        if (!differs)
            return;
        variant.values.scalars.push_back(cost_to_common_ends(ends, variant));
        if (&variant == comparison.variants.data())
            continue;
        Difference difference = difference_of(
            paired_difference(pairs_of(comparison.variants.front().values.scalars.back().by_seed,
                                       variant.values.scalars.back().by_seed),
                              SeedValues::amounts));
        difference.ci_low.reset();
        difference.ci_high.reset();
        difference.deciding = 0;
        variant.differences.push_back(difference);
    }
}

/// A job by what is the same in every run of its workload.
std::uint64_t job_hash(const JobColumns& jobs, std::size_t job) {
    std::uint64_t hash = jobs.name(job) ? std::hash<std::string_view>{}(*jobs.name(job)) : job;
    for (const std::int64_t number : {jobs.submit_ms[job], std::int64_t{jobs.gpus[job]}})
        hash = chain_hash(hash, static_cast<std::uint64_t>(number));
    return hash;
}

} // namespace

FinishedJobs finished_jobs(const Result& result) {
    FinishedJobs out;
    for (std::size_t job = 0; job < result.jobs.size(); ++job) {
        const Duration submit{result.jobs.submit_ms[job]};
        if (submit < result.window_begin || submit >= result.window_end)
            continue;
        const bool is_finished = has_finished(result.jobs.state[job]);
        ++(is_finished ? out.finished : out.unfinished);
        out.hash += is_finished ? job_hash(result.jobs, job) : 0;
    }
    return out;
}

std::string gpus_of(const Result& result) {
    std::map<std::string, std::int64_t> gpus;
    for (const ResultPool& pool : result.pools)
        if (pool.num_gpus() > 0)
            gpus[pool.gpu] += pool.num_gpus();
    if (gpus.size() == 1)
        return gpus.begin()->first;
    std::vector<std::string> parts;
    for (const auto& [type, count] : gpus)
        parts.push_back(fmt::format("{} {}", count, type));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string_view name(Verdict verdict) {
    constexpr std::array<std::string_view, num_verdicts> names{
        "better", "worse", "lower", "higher", "equal", "no clear difference", "withheld", ""};
    return names[static_cast<std::size_t>(verdict)];
}

void work_out(Comparison& comparison) {
    assert(comparison.variants.size() >= 2);
    const ComparedVariant& base = comparison.variants.front();
    note_ends(comparison);
    const bool same_end = comparison.one_end_a_seed || !comparison.ends_by_scenario;
    for (ComparedVariant& variant : comparison.variants) {
        assert(variant.runs.size() == base.runs.size());
        variant.values = comparison.resampled ? over_draws(repeats_over(variant.runs))
                                              : repeats_over(variant.runs);
        variant.differences.clear();
        variant.same_finished = has_same_finished(base, variant);
        variant.same_hours =
            variant.gpus == base.gpus && has_same_work(base, variant, &WorkloadHashes::work);
        variant.same_reference = has_same_work(base, variant, &WorkloadHashes::reference);
        if (&variant == &base)
            continue;
        for (std::size_t scalar = 0; scalar < base.runs.front().size(); ++scalar)
            variant.differences.push_back(
                difference_to(base, variant, scalar, comparison, same_end));
    }
    add_common_end_cost(comparison);
}

std::vector<std::string> caveats_of(const Comparison& comparison,
                                    std::vector<std::string> Caveats::*kind) {
    std::vector<std::pair<std::string, std::vector<std::string>>> found; // text, labels
    for (const ComparedVariant& variant : comparison.variants) {
        for (const std::string& text : variant.caveats.*kind) {
            auto at = std::ranges::find(
                found, text, &std::pair<std::string, std::vector<std::string>>::first);
            if (at == found.end())
                at = found.insert(found.end(), {text, {}});
            at->second.push_back(variant.label);
        }
    }
    std::vector<std::string> out;
    for (const auto& [text, labels] : found)
        out.push_back(labels.size() == comparison.variants.size()
                          ? text
                          : fmt::format("{}: {}", fmt::join(labels, ", "), text));
    return out;
}

std::vector<TenantWait> mean_waits(const Result& result) {
    const JobColumns& jobs = result.jobs;
    std::vector<int128> sums_ms(result.tenants.size());
    std::vector<TenantWait> out;
    for (const std::string& tenant : result.tenants)
        out.push_back({tenant_title(tenant), 0, {}});
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        if (!result.measures(job))
            continue;
        sums_ms[jobs.tenant[job]] += jobs.first_wait_end(job, result.end) - jobs.eligible(job);
        ++out[jobs.tenant[job]].jobs;
    }
    for (std::size_t i = 0; i < out.size(); ++i)
        if (out[i].jobs > 0)
            out[i].mean = Duration{
                static_cast<std::int64_t>(divide_half_up(sums_ms[i], int128{out[i].jobs}))};
    std::erase_if(out, [](const TenantWait& wait) { return wait.jobs == 0; });
    return out;
}

}} // namespace bursar::reports
