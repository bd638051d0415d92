#include "reports/compare/saved_comparison.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/compare/compare_formats.hpp"
#include "reports/result/json_reader.hpp"
#include "reports/result/member_io.hpp"
#include "reports/result/result.hpp"
#include "reports/result/saved_file.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr SavedKind comparison_kind{saved_comparison_kind,
                                    3,
                                    "comparison",
                                    "bursar compare --out writes comparison.json",
                                    "run the comparison again"};

/// One run of a variant.
struct SavedRun {
    std::uint64_t fingerprint{};
    RunEnding ending;
    FinishedJobs finished;
    WorkloadHashes workload;
    std::vector<std::optional<double>> values; ///< in the order of the scalars' names
};

/// A variant and its runs.
struct SavedVariant {
    ComparedVariant facts; ///< without runs
    std::vector<SavedRun> runs;
};

/// The parts of the file, in its order.
struct SavedParts {
    Comparison facts;                 ///< without variants
    std::vector<std::string> metrics; ///< of the question
    std::string goal;                 ///< as it was written; empty: none
    bool common_end{};                ///< of the question
    std::vector<std::string> scalars;
    std::vector<SavedVariant> variants;
};

// The members, each once: `Io` is a MemberWriter, of parts that are const, or a MemberReader.

constexpr Duration max_time{std::int64_t{1} << 41}; ///< twice the horizon of runs

template <class Io, class Pool>
void kept_members(Io& io, Pool& pool) {
    constexpr std::int64_t max_gpus = 1 << 24;
    constexpr MoneyRate max_rate{std::int64_t{1} << 50};
    io.one_of("purchase", pool.purchase, std::span{purchase_names}.first(2));
    io.integer("gpus", pool.gpus);
    io.integer_or_null("rate", pool.rate);
    io.integer("step_ms", pool.step);
    io.check(pool.gpus >= 0 && pool.gpus <= max_gpus, "gpus", "out of range");
    io.check(pool.rate.value_or(MoneyRate{}) >= MoneyRate{} && pool.rate <= max_rate,
             "rate",
             "out of range");
    io.check(pool.step > Duration{} && pool.step <= max_time, "step_ms", "out of range");
}

template <class Io, class Run>
void compared_run_members(Io& io, Run& run) {
    io.hash("fingerprint", run.fingerprint);
    io.integer("end_ms", run.ending.end);
    io.boolean("ends_by_itself", run.ending.by_itself);
    io.integer_or_null("measured_to_ms", run.ending.measured_to);
    io.check(run.ending.end >= Duration{} && run.ending.end <= max_time, "end_ms", "out of range");
    const Duration measured_to = run.ending.measured_to.value_or(Duration{});
    io.check(
        measured_to >= Duration{} && measured_to <= max_time, "measured_to_ms", "out of range");
    io.list("kept", run.ending.kept, [](auto& one, auto& pool) { kept_members(one, pool); });
    io.integer("jobs_finished", run.finished.finished);
    io.integer("jobs_unfinished", run.finished.unfinished);
    io.hash("finished_hash", run.finished.hash);
    io.hash("jobs_hash", run.workload.jobs);
    io.hash("work_hash", run.workload.work);
    io.hash("reference_hash", run.workload.reference);
    io.numbers_or_null("values", run.values);
}

template <class Io, class Changes>
void job_change_members(Io& io, Changes& jobs) {
    io.integer("jobs_gained", jobs.gained);
    io.integer("jobs_equal", jobs.equal);
    io.integer("jobs_lost", jobs.lost);
    io.number_or_null("jct_ratio", jobs.ratio);
    io.number_or_null("jct_ratio_of_gained", jobs.ratio_of_gained);
    io.number_or_null("jct_ratio_of_lost", jobs.ratio_of_lost);
    io.integer("jobs_of_base_only", jobs.base_only);
    io.integer("jobs_of_variant_only", jobs.variant_only);
    io.integer("jobs_of_neither", jobs.neither);
    io.integer("jobs_unpaired", jobs.unpaired);
    io.column("jct_base_ms", jobs.points.base_ms);
    io.column("jct_variant_ms", jobs.points.variant_ms);
    io.column("jobs_at", jobs.points.jobs);
    io.free_column("jct_base_only_ms", jobs.base_only_ms);
    io.free_column("jct_variant_only_ms", jobs.variant_only_ms);
    const std::vector<std::uint64_t>& at = jobs.points.jobs;
    io.check(std::ranges::find(at, 0U) == at.end(), "jobs_at", "a point of no job");
}

template <class Io, class Variant>
void compared_variant_members(Io& io, Variant& variant) {
    auto& facts = variant.facts;
    io.string("label", facts.label);
    io.string("folder", facts.folder);
    io.list("settings", facts.settings, [](auto& one, auto& setting) {
        one.string("path", setting.first);
        one.string("value", setting.second);
    });
    io.hash("scenario_hash", facts.scenario_hash);
    io.string("gpus", facts.gpus);
    io.strings("warnings", facts.caveats.warnings);
    io.strings("decisive", facts.caveats.decisive);
    io.strings("uncertain", facts.caveats.uncertain);
    io.strings("assumed", facts.caveats.assumed);
    io.strings("unmodelled", facts.caveats.unmodelled);
    io.part(
        "jobs_gained", facts.jobs, [](auto& one, auto& jobs) { job_change_members(one, jobs); });
    if (io.has_if("tenant_waits", !facts.tenants.empty()))
        io.list("tenant_waits", facts.tenants, [](auto& one, auto& wait) {
            one.string("tenant", wait.tenant);
            one.integer("jobs", wait.jobs);
            one.integer("mean_wait_ms", wait.mean);
            one.check(
                wait.mean >= Duration{} && wait.mean <= max_time, "mean_wait_ms", "out of range");
        });
    if (io.has_if("knows_model_errors", !facts.knows_model_errors))
        io.boolean("knows_model_errors", facts.knows_model_errors);
    if (io.has_if("model_errors", !facts.model_errors.empty()))
        io.list("model_errors", facts.model_errors, [](auto& one, auto& error) {
            one.string("of", error.of);
            one.number("usd", error.usd);
            one.check(error.usd >= 0, "usd", "below 0");
        });
    io.list("runs", variant.runs, [](auto& one, auto& run) { compared_run_members(one, run); });
}

template <class Io, class Parts>
void comparison_members(Io& io, Parts& parts) {
    auto& facts = parts.facts;
    io.string("version", facts.version);
    io.string("scenario", facts.scenario_name);
    io.integer("seed", facts.first_seed);
    io.boolean("random", facts.random);
    if (io.has_if("resampled", facts.resampled))
        io.boolean("resampled", facts.resampled);
    io.strings("metrics", parts.metrics);
    io.string("goal", parts.goal);
    io.boolean("common_end", parts.common_end);
    io.strings("scalars", parts.scalars);
    io.list("variants", parts.variants, [](auto& one, auto& variant) {
        compared_variant_members(one, variant);
    });
}

/// The value of a run; a default value where no run has one.
template <class Value>
Value of_run(const std::vector<Value>& values, std::size_t run) {
    return values.empty() ? Value{} : values[run];
}

SavedVariant saved_variant(const ComparedVariant& variant) {
    SavedVariant out{.facts = {.label = variant.label,
                               .settings = variant.settings,
                               .folder = variant.folder,
                               .scenario_hash = variant.scenario_hash,
                               .fingerprints = {},
                               .runs = {},
                               .endings = {},
                               .finished = {},
                               .gpus = variant.gpus,
                               .workloads = {},
                               .values = {},
                               .differences = {},
                               .caveats = variant.caveats,
                               .jobs = variant.jobs,
                               .tenants = variant.tenants,
                               .model_errors = variant.model_errors,
                               .knows_model_errors = variant.knows_model_errors},
                     .runs = {}};
    for (std::size_t run = 0; run < variant.runs.size(); ++run) {
        SavedRun& one = out.runs.emplace_back(SavedRun{of_run(variant.fingerprints, run),
                                                       of_run(variant.endings, run),
                                                       of_run(variant.finished, run),
                                                       of_run(variant.workloads, run),
                                                       {}});
        for (const Scalar& scalar : variant.runs[run])
            one.values.push_back(scalar.value);
    }
    return out;
}

SavedParts parts_of(const Comparison& comparison, const CompareQuestion& question) {
    SavedParts parts;
    parts.facts = comparison;
    parts.facts.variants.clear();
    for (const ScalarRow* metric : question.metrics)
        parts.metrics.push_back(metric->name);
    if (question.goal)
        parts.goal = question.goal->text;
    parts.common_end = question.common_end;
    for (const Scalar& scalar : comparison.variants.front().runs.front())
        parts.scalars.push_back(scalar.name);
    for (const ComparedVariant& variant : comparison.variants)
        parts.variants.push_back(saved_variant(variant));
    return parts;
}

ComparedVariant variant_of(SavedVariant saved, const std::vector<std::string>& scalars) {
    ComparedVariant variant = std::move(saved.facts);
    for (SavedRun& run : saved.runs) {
        variant.fingerprints.push_back(run.fingerprint);
        variant.endings.push_back(std::move(run.ending));
        variant.finished.push_back(run.finished);
        variant.workloads.push_back(run.workload);
        std::vector<Scalar>& values = variant.runs.emplace_back();
        for (std::size_t i = 0; i < scalars.size(); ++i)
            values.push_back({scalars[i], run.values[i]});
    }
    return variant;
}

void check_runs(const JsonReader& in, const SavedParts& parts) {
    if (parts.variants.size() < 2)
        in.at("variants").fail("fewer than two variants");
    for (const SavedVariant& variant : parts.variants) {
        if (variant.runs.empty() || variant.runs.size() != parts.variants.front().runs.size())
            in.at("variants").fail("not equally many runs of each variant");
        for (const SavedRun& run : variant.runs)
            if (run.values.size() != parts.scalars.size())
                in.at("variants").fail("not a value for every scalar");
    }
}

/// The scalar of that name. from: which version saved it.
const ScalarRow*
known_scalar(const JsonReader& in, const std::string& name, std::string_view from) {
    const ScalarRow* scalar = find_scalar(name);
    if (scalar == nullptr)
        in.fail(
            fmt::format("no metric of this version is named \"{}\"; bursar {} saved it; run the "
                        "comparison again",
                        name,
                        from));
    return scalar;
}

CompareQuestion question_of(const JsonReader& in, const SavedParts& parts) {
    CompareQuestion question;
    for (const std::string& name : parts.metrics)
        question.metrics.push_back(known_scalar(in.at("metrics"), name, parts.facts.version));
    question.common_end = parts.common_end;
    if (parts.goal.empty())
        return question;
    ConditionMistake mistake;
    question.goal = parse_goal(parts.goal, mistake);
    if (!question.goal)
        in.at("goal").fail(mistake.why);
    return question;
}

} // namespace

void write_saved_comparison(const Comparison& comparison,
                            const CompareQuestion& question,
                            std::size_t,
                            TextSink& sink) {
    HashedSink hashed{sink};
    JsonWriter json{hashed};
    saved::MemberWriter io{json, /*reproducible=*/true};
    const SavedParts parts = parts_of(comparison, question);
    json.object([&] {
        json.string("kind", comparison_kind.kind);
        json.integer("schema_version", comparison_kind.version);
        comparison_members(io, parts);
        json.hash(content_hash_key, hashed.hash());
    });
    hashed.flush();
}

SavedComparison parse_comparison(std::string_view json, std::string_view name) {
    const JsonDocument document{json, name, [](std::string_view /*read*/) {}};
    const JsonReader in{document};
    check_saved(in, json, comparison_kind);
    SavedParts parts;
    saved::MemberReader io{in};
    comparison_members(io, parts);
    for (const std::string& scalar : parts.scalars)
        static_cast<void>(known_scalar(in.at("scalars"), scalar, parts.facts.version));
    check_runs(in, parts);
    SavedComparison out{std::move(parts.facts), question_of(in, parts)};
    for (SavedVariant& variant : parts.variants)
        out.comparison.variants.push_back(variant_of(std::move(variant), parts.scalars));
    work_out(out.comparison);
    return out;
}

SavedComparison load_comparison(const std::filesystem::path& path) {
    FileText file;
    read_saved_file(path, comparison_kind, file);
    return parse_comparison(file.text(), path.string());
}

}} // namespace bursar::reports
