#include <cassert>
#include <cmath>

#include "reports/document/render.hpp"
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

void put_json_facts(JsonWriter& json, const Facts& facts) {
    json.key(facts.key);
    json.begin_object();
    for (const Fact& fact : facts.values) {
        json.key(fact.key);
        std::visit(PutCell{json}, fact.value);
    }
    json.end_object();
}

void put_json_table(JsonWriter& json, const ReportTable& table) {
    json.key(table.key);
    json.begin_array();
    for (const ReportRow& row : table.rows) {
        assert(row.cells.size() == table.columns.size());
        json.begin_object();
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            json.key(table.columns[i].key);
            std::visit(PutCell{json}, row.cells[i]);
        }
        json.end_object();
    }
    json.end_array();
}

/// The units of the facts or the columns that have one.
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

void render_json(const Document& document, TextSink& sink) {
    const std::vector<const Facts*> all_facts = document.all<Facts>();
    const std::vector<const ReportTable*> tables = document.all<ReportTable>();
    JsonWriter json{sink};
    json.begin_object();
    json.string("command", document.command);
    if (!document.headline.empty())
        json.string("headline", document.headline);
    for (const Facts* facts : all_facts)
        put_json_facts(json, *facts);
    for (const ReportTable* table : tables)
        put_json_table(json, *table);
    json.key("units");
    json.begin_object();
    for (const Facts* facts : all_facts)
        put_units(json, facts->key, facts->values);
    for (const ReportTable* table : tables)
        put_units(json, table->key, table->columns);
    json.end_object();
    json.strings("warnings", document.warnings);
    json.strings("sources", document.sources);
    json.end_object();
}

}} // namespace bursar::reports
