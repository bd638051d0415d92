#include <algorithm>
#include <cassert>
#include <cmath>
#include <ranges>

#include "reports/document/render.hpp"
#include "reports/text/escape.hpp"
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

void put_csv_row(const std::vector<Cell>& cells, TextSink& sink) {
    for (const Cell& cell : cells) {
        if (&cell != cells.data())
            sink.put(',');
        std::visit(PutField{sink}, cell);
    }
    sink.put('\n');
}

/// The units of the facts or the columns that have one.
template <class Described>
void put_units(JsonWriter& json, std::string_view key, const std::vector<Described>& described) {
    json.object(key, [&] {
        for (const Described& one : described)
            if (!one.unit.empty())
                json.string(one.key, one.unit);
    });
}

} // namespace

std::vector<ReportColumn> program_columns(std::string_view keys) {
    std::vector<ReportColumn> columns;
    for (const auto key : std::views::split(keys, ','))
        columns.emplace_back(std::string{key.begin(), key.end()}, "", "", true);
    return columns;
}

void put_json_table(JsonWriter& json, const ReportTable& table) {
    json.objects(table.key, table.rows, [&](const ReportRow& row) {
        assert(row.cells.size() == table.columns.size());
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            json.key(table.columns[i].key);
            std::visit(PutCell{json}, row.cells[i]);
        }
    });
}

void put_csv_table(const ReportTable& table, TextSink& sink) {
    std::vector<Cell> keys;
    for (const ReportColumn& column : table.columns)
        keys.emplace_back(column.key);
    put_csv_row(keys, sink);
    for (const ReportRow& row : table.rows) {
        assert(row.cells.size() == table.columns.size());
        put_csv_row(row.cells, sink);
    }
}

void render_json(const Document& document, TextSink& sink) {
    const std::vector<const Facts*> all_facts = document.all<Facts>();
    const std::vector<const ReportTable*> tables = document.all<ReportTable>();
    JsonWriter json{sink};
    json.object([&] {
        json.string("command", document.command);
        if (!document.headline.empty())
            json.string("headline", document.headline);
        for (const Facts* facts : all_facts)
            json.object(facts->key, [&] {
                for (const Fact& fact : facts->values) {
                    json.key(fact.key);
                    std::visit(PutCell{json}, fact.value);
                }
            });
        for (const ReportTable* table : tables)
            put_json_table(json, *table);
        json.object("units", [&] {
            for (const Facts* facts : all_facts)
                put_units(json, facts->key, facts->values);
            for (const ReportTable* table : tables)
                put_units(json, table->key, table->columns);
        });
        json.strings("warnings", document.warnings);
        json.strings("sources", document.sources);
    });
}

void render_csv(const Document& document, TextSink& sink) {
    for (const ReportTable* table : document.all<ReportTable>())
        if (!table->beside)
            return put_csv_table(*table, sink);
    sink.put("section,key,value,unit,note\n");
    for (const Facts* facts : document.all<Facts>())
        for (const Fact& fact : facts->values)
            put_csv_row({facts->key, fact.key, fact.value, fact.unit, fact.note}, sink);
}

}} // namespace bursar::reports
