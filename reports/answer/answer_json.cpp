#include <cassert>
#include <cmath>

#include "reports/answer/formats.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Puts one cell as JSON has it.
struct PutCell {
    JsonWriter& json;

    void operator()(double number) const {
        std::isfinite(number) ? json.number(number) : json.null();
    }
    void operator()(std::int64_t count) const { json.integer(count); }
    void operator()(bool yes) const { json.boolean(yes); }
    void operator()(const std::string& text) const { json.string(text); }
};

void put_section(JsonWriter& json, const AnswerSection& section) {
    json.key(section.key);
    json.begin_object();
    for (const AnswerValue& value : section.values) {
        json.key(value.key);
        std::visit(PutCell{json}, value.value);
    }
    json.end_object();
}

void put_table(JsonWriter& json, const AnswerTable& table) {
    json.key(table.key);
    json.begin_array();
    for (const std::vector<AnswerCell>& row : table.rows) {
        assert(row.size() == table.columns.size());
        json.begin_object();
        for (std::size_t i = 0; i < row.size(); ++i) {
            json.key(table.columns[i].key);
            std::visit(PutCell{json}, row[i]);
        }
        json.end_object();
    }
    json.end_array();
}

/// The units of a section's values or a table's columns that have one.
template <class Described>
void put_units(JsonWriter& json, std::string_view key, const std::vector<Described>& described) {
    json.key(key);
    json.begin_object();
    for (const Described& one : described)
        if (!one.unit.empty())
            json.string(one.key, one.unit);
    json.end_object();
}

} // namespace

void write_answer_json(const Answer& answer, TextSink& sink) {
    JsonWriter json{sink};
    json.begin_object();
    json.string("command", answer.command);
    if (!answer.headline.empty())
        json.string("headline", answer.headline);
    for (const AnswerSection& section : answer.sections)
        put_section(json, section);
    for (const AnswerTable& table : answer.tables)
        put_table(json, table);
    json.key("units");
    json.begin_object();
    for (const AnswerSection& section : answer.sections)
        put_units(json, section.key, section.values);
    for (const AnswerTable& table : answer.tables)
        put_units(json, table.key, table.columns);
    json.end_object();
    json.strings("warnings", answer.warnings);
    json.strings("sources", answer.sources);
    json.end_object();
}

}} // namespace bursar::reports
