#include "reports/validation/validation_report.hpp"

#include <initializer_list>

#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {
namespace {

void put_csv_line(TextSink& sink, std::initializer_list<std::string_view> fields) {
    bool first = true;
    for (const std::string_view field : fields) {
        if (!first)
            sink.put(',');
        first = false;
        put_csv_field(sink, field);
    }
    sink.put('\n');
}

void put_group(JsonWriter& json, const ValidationGroup& group) {
    json.begin_object();
    json.string("file", group.file);
    json.string("framework", group.framework);
    json.string("gpu", group.gpu);
    json.string("quantity", group.quantity);
    json.string("profile", group.profile);
    json.boolean("tuned", is_tuned(group.tuning));
    json.integer("n", group.n);
    json.integer("answered", group.error.n);
    const auto figure = [&](std::string_view name, double value) {
        json.number_or_null(name, group.error.n > 0 ? std::optional{value} : std::nullopt);
    };
    figure("mape", group.error.mape);
    figure("median", group.error.median);
    figure("p90", group.error.p90);
    figure("max", group.error.max);
    figure("bias", group.error.bias);
    json.end_object();
}

std::string joined(const std::vector<std::string>& parts) {
    std::string result;
    for (const std::string& part : parts)
        result += (result.empty() ? "" : "; ") + part;
    return result;
}

} // namespace

void write_validation_json(const Validation& validation, TextSink& sink) {
    JsonWriter json{sink};
    json.begin_object();
    json.key("groups");
    json.begin_array();
    for (const ValidationGroup& group : validation.groups)
        put_group(json, group);
    json.end_array();
    json.key("unanswered");
    json.begin_array();
    for (const ValidatedRow& row : validation.rows) {
        if (row.predicted)
            continue;
        json.begin_object();
        json.string("id", row.id);
        json.string("why", row.why);
        json.end_object();
    }
    json.end_array();
    json.end_object();
    sink.put('\n');
}

void write_validation_csv(const Validation& validation, TextSink& sink) {
    sink.put("file,framework,gpu,quantity,profile,tuned,n,answered,mape,median,p90,max,bias\n");
    for (const ValidationGroup& group : validation.groups) {
        const ErrorStatistics& error = group.error;
        const auto figure = [&](double value) {
            return error.n > 0 ? number_text(value) : std::string{};
        };
        put_csv_line(sink,
                     {group.file,
                      group.framework,
                      group.gpu,
                      group.quantity,
                      group.profile,
                      is_tuned(group.tuning) ? "true" : "false",
                      std::to_string(group.n),
                      std::to_string(error.n),
                      figure(error.mape),
                      figure(error.median),
                      figure(error.p90),
                      figure(error.max),
                      figure(error.bias)});
    }
}

void write_validated_rows(const Validation& validation, TextSink& sink) {
    sink.put("id,file,framework,gpu,quantity,profile,tuned,measured,predicted,error,why,"
             "assumptions\n");
    for (const ValidatedRow& row : validation.rows) {
        put_csv_line(sink,
                     {row.id,
                      row.file,
                      row.framework,
                      row.gpu,
                      row.quantity,
                      row.profile,
                      is_tuned(row.tuning) ? "true" : "false",
                      row.measured > 0 ? number_text(row.measured) : "",
                      row.predicted ? number_text(*row.predicted) : "",
                      row.predicted
                          ? number_text(Prediction{*row.predicted, row.measured}.relative_error())
                          : "",
                      row.why,
                      joined(row.assumptions)});
    }
}

}} // namespace bursar::reports
