#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <variant>

#include "reports/compare/compare_columns.hpp"
#include "reports/compare/compare_document.hpp"
#include "reports/compare/compare_formats.hpp"
#include "reports/repeats/repeats.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Raised whenever a reader of the old form would be wrong.
constexpr std::int64_t compare_schema_version = 1;

class CompareWriter {
  public:
    CompareWriter(const Comparison& comparison, const CompareQuestion& question, TextSink& sink)
        : comparison_{comparison}, question_{question}, places_{scalars_of(comparison, question)},
          json_{sink} {}

    void write() {
        json_.begin_object();
        json_.integer("schema_version", compare_schema_version);
        run();
        json_.string("base", comparison_.variants.front().label);
        json_.key("variants");
        json_.begin_array();
        for (const ComparedVariant& one : comparison_.variants)
            variant(one);
        json_.end_array();
        if (const auto section = compare_goal(comparison_, question_))
            goal(*section);
        json_.strings("warnings", caveats_of(comparison_, &Caveats::warnings));
        json_.strings("uncertain", caveats_of(comparison_, &Caveats::uncertain));
        json_.strings("unmodelled", caveats_of(comparison_, &Caveats::unmodelled));
        std::vector<std::string> assumed = caveats_of(comparison_, &Caveats::decisive);
        std::ranges::move(caveats_of(comparison_, &Caveats::assumed), std::back_inserter(assumed));
        json_.strings("assumed", assumed);
        json_.end_object();
    }

  private:
    void run() {
        json_.key("run");
        json_.begin_object();
        json_.string("version", comparison_.version);
        json_.string("scenario", comparison_.scenario_name);
        json_.integer("seed", comparison_.first_seed);
        json_.integer("seeds", comparison_.num_runs());
        json_.boolean("random", comparison_.random);
        json_.micro("end_s", int128{comparison_.end.count()} * 1000);
        json_.end_object();
    }

    void variant(const ComparedVariant& one) {
        json_.begin_object();
        json_.string("label", one.label);
        if (!one.folder.empty())
            json_.string("folder", one.folder);
        json_.key("settings");
        json_.begin_object();
        for (const auto& [path, value] : one.settings)
            json_.string(path, value);
        json_.end_object();
        json_.hash("scenario_hash", one.scenario_hash);
        std::vector<std::string> fingerprints;
        for (const std::uint64_t fingerprint : one.fingerprints)
            fingerprints.push_back(hash_text(fingerprint));
        json_.strings("fingerprints", fingerprints);
        json_.boolean("same_jobs_finished", one.same_finished);
        json_.boolean("same_gpu_hours", one.same_hours);
        if (one.jobs)
            jobs(*one.jobs);
        json_.key("metrics");
        json_.begin_object();
        for (const std::size_t i : places_)
            metric(one, i);
        json_.end_object();
        json_.end_object();
    }

    void jobs(const JobChanges& changes) {
        json_.key("jobs");
        json_.begin_object();
        json_.integer("gained", changes.gained);
        json_.integer("equal", changes.equal);
        json_.integer("lost", changes.lost);
        json_.number_or_null("jct_ratio_p50", changes.ratio);
        json_.integer("finished_in_base_alone", changes.base_only);
        json_.integer("finished_in_variant_alone", changes.variant_only);
        json_.integer("finished_in_neither", changes.neither);
        json_.integer("in_one_alone", changes.unpaired);
        json_.end_object();
    }

    void metric(const ComparedVariant& one, std::size_t i) {
        const RepeatedScalar& scalar = one.values.scalars[i];
        json_.key(scalar.name);
        json_.begin_object();
        write_statistics(scalar, json_);
        json_.key("difference");
        if (one.differences.empty())
            json_.null();
        else
            difference(one.differences[i]);
        json_.end_object();
    }

    void difference(const Difference& difference) {
        json_.begin_object();
        json_.integer("n", difference.pairs);
        json_.number_or_null("mean",
                             difference.pairs > 0 ? std::optional{difference.mean} : std::nullopt);
        json_.number_or_null("ci95_low", difference.ci_low);
        json_.number_or_null("ci95_high", difference.ci_high);
        json_.number_or_null("relative", difference.relative);
        json_.key("verdict");
        if (difference.verdict == Verdict::unknown)
            json_.null();
        else
            json_.string(name(difference.verdict));
        json_.end_object();
    }

    void goal(const Facts& section) {
        json_.key("goal");
        json_.begin_object();
        json_.string("text", question_.goal->text);
        for (const Fact& value : section.values)
            if (const auto* number = std::get_if<double>(&value.value))
                json_.number_or_null(
                    value.key, std::isfinite(*number) ? std::optional{*number} : std::nullopt);
            else
                json_.string(value.key, std::get<std::string>(value.value));
        json_.end_object();
    }

    const Comparison& comparison_;
    const CompareQuestion& question_;
    std::vector<std::size_t> places_; ///< of the scalars that are written
    JsonWriter json_;
};

} // namespace

void write_compare_json(const Comparison& comparison,
                        const CompareQuestion& question,
                        std::size_t,
                        TextSink& sink) {
    CompareWriter{comparison, question, sink}.write();
}

}} // namespace bursar::reports
