#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <variant>

#include "reports/compare/compare_columns.hpp"
#include "reports/compare/compare_formats.hpp"
#include "reports/repeats/repeats.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Raised whenever a reader of the old form would be wrong.
constexpr std::int64_t compare_schema_version = 1;

void put_job_changes(const JobChanges& changes, JsonWriter& json) {
    json.object("jobs", [&] {
        json.integer("gained", changes.gained);
        json.integer("equal", changes.equal);
        json.integer("lost", changes.lost);
        json.number_or_null("jct_ratio_p50", changes.ratio);
        json.integer("finished_in_base_alone", changes.base_only);
        json.integer("finished_in_variant_alone", changes.variant_only);
        json.integer("finished_in_neither", changes.neither);
        json.integer("in_one_alone", changes.unpaired);
    });
}

void put_difference(const Difference& difference, JsonWriter& json) {
    const bool is_known = difference.pairs > 0;
    const std::string verdict{name(difference.verdict)};
    json.object([&] {
        json.integer("n", difference.pairs);
        json.number_or_null("mean", is_known ? std::optional{difference.mean} : std::nullopt);
        json.number_or_null("ci95_low", difference.ci_low);
        json.number_or_null("ci95_high", difference.ci_high);
        json.number_or_null("p", difference.ci_low ? std::optional{difference.p} : std::nullopt);
        json.integer("deciding_seeds", difference.deciding);
        json.number_or_null("relative", difference.relative);
        json.string_or_null("verdict", verdict.empty() ? nullptr : &verdict);
    });
}

/// scalars: places of those that are written.
void put_variant(const ComparedVariant& one,
                 const std::vector<std::size_t>& scalars,
                 JsonWriter& json) {
    json.string("label", one.label);
    if (!one.folder.empty())
        json.string("folder", one.folder);
    json.object("settings", [&] {
        for (const auto& [path, value] : one.settings)
            json.string(path, value);
    });
    json.hash("scenario_hash", one.scenario_hash);
    std::vector<std::string> fingerprints;
    for (const std::uint64_t fingerprint : one.fingerprints)
        fingerprints.push_back(hash_text(fingerprint));
    json.strings("fingerprints", fingerprints);
    json.boolean("same_jobs_finished", one.same_finished);
    json.boolean("same_gpu_hours", one.same_hours);
    if (one.jobs)
        put_job_changes(*one.jobs, json);
    json.object("metrics", [&] {
        for (const std::size_t i : scalars)
            json.object(one.values.scalars[i].name, [&] {
                write_statistics(one.values.scalars[i], json);
                json.key("difference");
                one.differences.empty() ? json.null() : put_difference(one.differences[i], json);
            });
    });
}

void put_goal(const Goal& goal, const Facts& answer, JsonWriter& json) {
    json.object("goal", [&] {
        json.string("text", goal.text);
        for (const Fact& value : answer.values)
            if (const auto* number = std::get_if<double>(&value.value))
                json.number_or_null(value.key,
                                    std::isfinite(*number) ? std::optional{*number} : std::nullopt);
            else
                json.string(value.key, std::get<std::string>(value.value));
    });
}

} // namespace

void write_compare_json(const Comparison& comparison,
                        const CompareQuestion& question,
                        std::size_t,
                        TextSink& sink) {
    const std::vector<std::size_t> scalars = scalars_of(comparison, question);
    std::vector<std::string> assumed = caveats_of(comparison, &Caveats::decisive);
    std::ranges::move(caveats_of(comparison, &Caveats::assumed), std::back_inserter(assumed));
    JsonWriter json{sink};
    json.object([&] {
        json.integer("schema_version", compare_schema_version);
        json.object("run", [&] {
            json.string("version", comparison.version);
            json.string("scenario", comparison.scenario_name);
            json.integer("seed", comparison.first_seed);
            json.integer("seeds", comparison.num_runs());
            json.boolean("random", comparison.random);
            if (comparison.resampled)
                json.boolean("resampled", true);
            json.micro("end_s", int128{comparison.end.count()} * 1000);
        });
        json.string("base", comparison.variants.front().label);
        json.objects("variants", comparison.variants, [&](const ComparedVariant& one) {
            put_variant(one, scalars, json);
        });
        if (const auto answer = compare_goal(comparison, question))
            put_goal(*question.goal, answer->section, json);
        json.strings("warnings", caveats_of(comparison, &Caveats::warnings));
        json.strings("uncertain", caveats_of(comparison, &Caveats::uncertain));
        json.strings("unmodelled", caveats_of(comparison, &Caveats::unmodelled));
        json.strings("assumed", assumed);
    });
}

}} // namespace bursar::reports
