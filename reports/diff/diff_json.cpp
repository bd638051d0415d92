#include "reports/diff/diff_formats.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Raised whenever a reader of the old form would be wrong.
constexpr std::int64_t diff_schema_version = 1;

class DiffJson {
  public:
    DiffJson(const ResultDiff& diff, const DiffQuestion& question, TextSink& sink)
        : diff_{diff}, question_{question}, rows_{exact_rows(*diff.base, *diff.fresh)},
          json_{sink} {}

    void write() {
        json_.begin_object();
        json_.integer("schema_version", diff_schema_version);
        side("base", diff_.base_name, *diff_.base);
        side("new", diff_.fresh_name, *diff_.fresh);
        pairing();
        fail_if();
        json_.strings("notes", diff_.notes);
        changes();
        json_.key("total");
        figure(rows_.total.usd);
        json_.key("paid");
        money(rows_.paid);
        rows("groups", rows_.leaves, false);
        rows("leaves", rows_.leaves, true);
        rows("other_costs", rows_.other, false);
        rows("pools", rows_.pools, false);
        rows("tenants", rows_.tenants, false);
        json_.key("metrics");
        json_.begin_object();
        for (const DiffMetric& metric : diff_.metrics) {
            json_.key(metric.row->name);
            figure(metric.figure, &metric);
        }
        json_.end_object();
        json_.end_object();
    }

  private:
    void side(std::string_view name, const std::string& file, const Result& result) {
        json_.key(name);
        json_.begin_object();
        json_.string("file", file);
        json_.string("version", result.run.version);
        json_.string("scenario", result.run.scenario_name);
        json_.hash("scenario_hash", result.run.scenario_hash);
        json_.integer("seed", result.run.seed);
        json_.integer("seeds", result.repeats ? result.repeats->n : 1);
        json_.hash("fingerprint", result.fingerprint);
        json_.end_object();
    }

    void pairing() {
        json_.key("pairing");
        switch (pairing_of(*diff_.base, *diff_.fresh)) {
        case SeedPairing::paired:
            return json_.string("paired");
        case SeedPairing::unpaired:
            return json_.string("unpaired");
        case SeedPairing::single:
        case SeedPairing::one_sided:
            break;
        }
        json_.null();
    }

    void fail_if() {
        json_.key("fail_if");
        json_.begin_array();
        for (const FailIf& condition : question_.fail_if) {
            const FailIfAnswer answer = answer_of(condition, diff_);
            json_.begin_object();
            json_.string("text", answer.text);
            json_.string("metric", condition.metric->name);
            json_.boolean("failed", answer.is_failed);
            json_.string("reason", answer.reason);
            json_.end_object();
        }
        json_.end_array();
    }

    void changes() {
        json_.key("changes");
        json_.begin_array();
        for (const ScenarioChange& change : diff_.changes) {
            json_.begin_object();
            json_.string("what", change.what);
            for (const auto& [key, text] :
                 {std::pair{"base", &change.base}, std::pair{"new", &change.fresh}}) {
                json_.key(key);
                text->empty() ? json_.null() : json_.string(*text);
            }
            json_.end_object();
        }
        json_.end_array();
    }

    void rows(std::string_view name, const std::vector<DiffRow>& rows, bool leaves) {
        json_.key(name);
        json_.begin_array();
        for (const DiffRow& row : rows) {
            if (row.is_leaf == leaves)
                money(row);
        }
        json_.end_array();
    }

    void money(const DiffRow& row) {
        json_.begin_object();
        json_.string("name", row.name);
        json_.key("cost");
        figure(row.usd);
        if (row.gpu_hours.base) {
            json_.key("gpu_hours");
            figure(row.gpu_hours);
        }
        json_.end_object();
    }

    /// metric: whose it is, where it is one's.
    void figure(const DiffFigure& figure, const DiffMetric* metric = nullptr) {
        json_.begin_object();
        json_.micro_or_null("base", figure.base);
        json_.micro_or_null("new", figure.fresh);
        json_.micro_or_null("delta", figure.delta());
        json_.micro_or_null("percent", figure.percent(1'000'000));
        if (metric != nullptr && metric->over_seeds) {
            json_.micro_or_null("ci95_low", to_micro(metric->over_seeds->ci_low));
            json_.micro_or_null("ci95_high", to_micro(metric->over_seeds->ci_high));
        }
        json_.end_object();
    }

    const ResultDiff& diff_;
    const DiffQuestion& question_;
    DiffRows rows_;
    JsonWriter json_;
};

} // namespace

void write_diff_json(const ResultDiff& diff,
                     const DiffQuestion& question,
                     std::size_t,
                     TextSink& sink) {
    DiffJson{diff, question, sink}.write();
}

}} // namespace bursar::reports
