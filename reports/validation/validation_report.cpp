#include "reports/validation/validation_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/document/render.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {
namespace {

ReportTable table_of_groups(const Validation& validation) {
    ReportTable table{
        "groups",
        "",
        program_columns(
            "file,framework,gpu,quantity,profile,tuned,n,answered,mape,median,p90,max,bias")};
    for (const ValidationGroup& group : validation.groups) {
        const ErrorStatistics& error = group.error;
        const auto figure = [&](double value) { return error.n > 0 ? value : not_known; };
        table.rows.push_back({group.file,
                              group.framework,
                              group.gpu,
                              group.quantity,
                              group.profile,
                              is_tuned(group.tuning),
                              static_cast<std::int64_t>(group.n),
                              static_cast<std::int64_t>(error.n),
                              figure(error.mape),
                              figure(error.median),
                              figure(error.p90),
                              figure(error.max),
                              figure(error.bias)});
    }
    return table;
}

} // namespace

void write_validation_json(const Validation& validation, TextSink& sink) {
    ReportTable unanswered{"unanswered", "", program_columns("id,why")};
    for (const ValidatedRow& row : validation.rows)
        if (!row.predicted)
            unanswered.rows.push_back({row.id, row.why});
    JsonWriter json{sink};
    json.object([&] {
        put_json_table(json, table_of_groups(validation));
        put_json_table(json, unanswered);
    });
    sink.put('\n');
}

void write_validation_csv(const Validation& validation, TextSink& sink) {
    put_csv_table(table_of_groups(validation), sink);
}

void write_validated_rows(const Validation& validation, TextSink& sink) {
    ReportTable table{program_columns(
        "id,file,framework,gpu,quantity,profile,tuned,measured,predicted,error,why,assumptions,"
        "distance,low,high")};
    for (const ValidatedRow& row : validation.rows) {
        const double predicted = row.predicted.value_or(not_known);
        table.rows.push_back({row.id,
                              row.file,
                              row.framework,
                              row.gpu,
                              row.quantity,
                              row.profile,
                              is_tuned(row.tuning),
                              row.measured > 0 ? row.measured : not_known,
                              predicted,
                              Prediction{predicted, row.measured}.relative_error(),
                              row.why,
                              fmt::format("{}", fmt::join(row.assumptions, "; ")),
                              row.distance ? std::string{name(*row.distance)} : std::string{},
                              row.distance ? predicted * row.range.low : not_known,
                              row.distance ? predicted * row.range.high : not_known});
    }
    put_csv_table(table, sink);
}

}} // namespace bursar::reports
