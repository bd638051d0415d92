#include <algorithm>
#include <cassert>
#include <cmath>

#include "reports/answer/formats.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Puts one cell as a CSV field.
struct PutField {
    TextSink& sink;

    void operator()(double number) const {
        if (std::isfinite(number))
            sink.put_number(number);
    }
    void operator()(std::int64_t count) const { sink.put_integer(count); }
    void operator()(bool yes) const { sink.put(yes ? "true" : "false"); }
    void operator()(const std::string& text) const { put_csv_field(sink, text); }
};

void put_table(const AnswerTable& table, TextSink& sink) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (i > 0)
            sink.put(',');
        put_csv_field(sink, table.columns[i].key);
    }
    sink.put('\n');
    for (const std::vector<AnswerCell>& row : table.rows) {
        assert(row.size() == table.columns.size());
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0)
                sink.put(',');
            std::visit(PutField{sink}, row[i]);
        }
        sink.put('\n');
    }
}

void put_values(const AnswerSection& section, TextSink& sink) {
    for (const AnswerValue& value : section.values) {
        put_csv_field(sink, section.key);
        sink.put(',');
        put_csv_field(sink, value.key);
        sink.put(',');
        std::visit(PutField{sink}, value.value);
        sink.put(',');
        put_csv_field(sink, value.unit);
        sink.put(',');
        put_csv_field(sink, value.note);
        sink.put('\n');
    }
}

} // namespace

void write_answer_csv(const Answer& answer, TextSink& sink) {
    const auto main = std::ranges::find(answer.tables, false, &AnswerTable::beside);
    if (main != answer.tables.end())
        return put_table(*main, sink);
    sink.put("section,key,value,unit,note\n");
    for (const AnswerSection& section : answer.sections)
        put_values(section, sink);
}

}} // namespace bursar::reports
