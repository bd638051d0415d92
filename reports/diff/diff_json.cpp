#include "reports/diff/diff_formats.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Raised whenever a reader of the old form would be wrong.
constexpr std::int64_t diff_schema_version = 1;

void put_side(const std::string& file, const Result& result, JsonWriter& json) {
    json.string("file", file);
    json.string("version", result.run.version);
    json.string("scenario", result.run.scenario_name);
    json.hash("scenario_hash", result.run.scenario_hash);
    json.integer("seed", result.run.seed);
    json.integer("seeds", result.repeats ? result.repeats->n : 1);
    json.hash("fingerprint", result.fingerprint);
}

void put_pairing(SeedPairing pairing, JsonWriter& json) {
    json.key("pairing");
    if (pairing == SeedPairing::paired)
        json.string("paired");
    else if (pairing == SeedPairing::unpaired)
        json.string("unpaired");
    else
        json.null();
}

/// metric: the one that the figure is of; may be null.
void put_figure(std::string_view key,
                const DiffFigure& figure,
                JsonWriter& json,
                const DiffMetric* metric = nullptr) {
    json.object(key, [&] {
        json.micro_or_null("base", figure.base);
        json.micro_or_null("new", figure.fresh);
        json.micro_or_null("delta", figure.delta());
        json.micro_or_null("percent", figure.percent(1'000'000));
        if (metric != nullptr && metric->over_seeds) {
            json.micro_or_null("ci95_low", to_micro(metric->over_seeds->ci_low));
            json.micro_or_null("ci95_high", to_micro(metric->over_seeds->ci_high));
        }
    });
}

void put_money(const DiffRow& row, JsonWriter& json) {
    json.string("name", row.name);
    put_figure("cost", row.usd, json);
    if (row.gpu_hours.base)
        put_figure("gpu_hours", row.gpu_hours, json);
}

void put_causes(const std::optional<DiffCauses>& causes, JsonWriter& json) {
    json.key("causes");
    if (!causes)
        return json.null();
    json.object([&] {
        json.string("work", causes->is_at_reference_speed ? "finished" : "productive");
        const auto put = [&](std::string_view name, const DiffCause& cause) {
            json.object(name, [&] {
                json.micro_or_null("base", to_micro(cause.base));
                json.micro_or_null("new", to_micro(cause.fresh));
                json.micro("cost", cause.usd);
            });
        };
        put("volume", causes->volume);
        put("efficiency", causes->efficiency);
        put("price", causes->price);
        json.micro("other_cost", causes->other_usd);
    });
}

} // namespace

void write_diff_json(const ResultDiff& diff,
                     const DiffQuestion& question,
                     std::size_t,
                     TextSink& sink) {
    JsonWriter json{sink};
    const DiffRows all = exact_rows(*diff.base, *diff.fresh);
    const auto put_rows = [&](std::string_view name, std::vector<DiffRow> rows, bool are_leaves) {
        std::erase_if(rows, [&](const DiffRow& row) { return row.is_leaf != are_leaves; });
        json.objects(name, rows, [&](const DiffRow& row) { put_money(row, json); });
    };
    const auto or_null = [](const std::string& text) { return text.empty() ? nullptr : &text; };
    json.object([&] {
        json.integer("schema_version", diff_schema_version);
        json.object("base", [&] { put_side(diff.base_name, *diff.base, json); });
        json.object("new", [&] { put_side(diff.fresh_name, *diff.fresh, json); });
        put_pairing(pairing_of(*diff.base, *diff.fresh), json);
        json.objects("fail_if", question.fail_if, [&](const FailIf& condition) {
            const FailIfAnswer answer = answer_of(condition, diff);
            json.string("text", answer.text);
            json.string("metric", condition.metric->name);
            json.boolean("failed", answer.is_failed);
            json.string("reason", answer.reason);
        });
        json.strings("notes", diff.notes);
        json.objects("changes", diff.changes, [&](const ScenarioChange& change) {
            json.string("what", change.what);
            json.string_or_null("base", or_null(change.base));
            json.string_or_null("new", or_null(change.fresh));
        });
        put_figure("total", all.total.usd, json);
        put_causes(all.causes, json);
        json.object("paid", [&] { put_money(all.paid, json); });
        put_rows("groups", all.leaves, false);
        put_rows("leaves", all.leaves, true);
        put_rows("other_costs", all.other, false);
        put_rows("pools", all.pools, false);
        put_rows("tenants", all.tenants, false);
        json.object("metrics", [&] {
            for (const DiffMetric& metric : diff.metrics)
                put_figure(metric.row->name, metric.figure, json, &metric);
        });
    });
}

}} // namespace bursar::reports
