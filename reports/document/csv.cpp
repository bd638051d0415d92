#include <algorithm>
#include <cassert>
#include <cmath>

#include "reports/document/render.hpp"
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

void put_csv_table(const ReportTable& table, TextSink& sink) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (i > 0)
            sink.put(',');
        put_csv_field(sink, table.columns[i].key);
    }
    sink.put('\n');
    for (const ReportRow& row : table.rows) {
        assert(row.cells.size() == table.columns.size());
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            if (i > 0)
                sink.put(',');
            std::visit(PutField{sink}, row.cells[i]);
        }
        sink.put('\n');
    }
}

void put_csv_facts(const Facts& facts, TextSink& sink) {
    for (const Fact& fact : facts.values) {
        put_csv_field(sink, facts.key);
        sink.put(',');
        put_csv_field(sink, fact.key);
        sink.put(',');
        std::visit(PutField{sink}, fact.value);
        sink.put(',');
        put_csv_field(sink, fact.unit);
        sink.put(',');
        put_csv_field(sink, fact.note);
        sink.put('\n');
    }
}

} // namespace

void render_csv(const Document& document, TextSink& sink) {
    for (const ReportTable* table : document.all<ReportTable>())
        if (!table->beside)
            return put_csv_table(*table, sink);
    sink.put("section,key,value,unit,note\n");
    for (const Facts* facts : document.all<Facts>())
        put_csv_facts(*facts, sink);
}

}} // namespace bursar::reports
