#include "reports/compare/compare_formats.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "reports/document/render.hpp"
#include "reports/scalars/common_end.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Bytes that all labels begin with, up to a blank: "queue: " of "queue: sjf", "queue: srtf".
std::size_t common_beginning(const std::vector<std::string>& labels) {
    std::size_t same = labels.front().size();
    for (const std::string& label : labels) {
        const auto differs = std::ranges::mismatch(labels.front(), label).in1;
        same = std::min(same, static_cast<std::size_t>(differs - labels.front().begin()));
    }
    const std::size_t blank = labels.front().substr(0, same).find_last_of(' ');
    return blank == std::string::npos ? 0 : blank + 1;
}

/// Whether the labels name the rows of a table: none is alike another or wider than `width`.
bool are_names(std::vector<std::string> labels, std::size_t width) {
    std::ranges::sort(labels);
    return std::ranges::adjacent_find(labels) == labels.end() &&
           std::ranges::all_of(
               labels, [&](const std::string& label) { return display_width(label) <= width; });
}

/// Numbers variants whose labels cannot name rows of `width` columns: "2  head: skip". The numbers
/// stand before the labels in full, before their rows and before their tables.
void number_variants(const Comparison& comparison,
                     const CompareQuestion& question,
                     std::size_t width,
                     Document& document) {
    std::vector<std::string> labels;
    for (const std::size_t place : rows_of(comparison, question))
        labels.push_back(terminal_text(comparison.variants[place].label));
    if (are_names(labels, width))
        return;
    const std::size_t digits = std::to_string(labels.size()).size();
    const std::size_t from = common_beginning(labels);
    ReportTable names{{{"", Align::right}, {"", Align::left}}};
    std::vector<ReportTable*> tables;
    for (Document::Block& block : document.blocks)
        if (auto* table = std::get_if<ReportTable>(&block))
            tables.push_back(table);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::string number = fmt::format("{:>{}}", i + 1, digits);
        names.rows.push_back({number, labels[i]});
        if (!tables.empty())
            tables.front()->rows[i].cells.front() =
                cut_to_width(number + "  " + labels[i].substr(from), width);
        if (i > 0 && i < tables.size())
            tables[i]->title = number + " " + tables[i]->title;
    }
    document.add_first(std::move(names));
}

double number_of(std::optional<double> value, bool is_known = true) {
    return is_known && value ? *value : not_known;
}

std::string unit_of_scalar(const std::string& name) {
    const ScalarRow* row = name == common_end_cost().name ? &common_end_cost() : find_scalar(name);
    return row == nullptr ? std::string{} : std::string{unit_of(row->kind)};
}

constexpr std::array all_outputs{
    CompareOutput{"table", "compare.txt", write_compare_table},
    CompareOutput{"json", "compare.json", write_compare_json},
    CompareOutput{"csv", "compare.csv", write_compare_csv},
    CompareOutput{"markdown", "compare.md", write_compare_markdown},
    CompareOutput{"html", "compare.html", write_compare_html},
    CompareOutput{"result", "comparison.json", write_saved_comparison},
};

} // namespace

std::span<const CompareOutput> compare_outputs() {
    return all_outputs;
}

void write_compare_table(const Comparison& comparison,
                         const CompareQuestion& question,
                         std::size_t terminal,
                         TextSink& sink) {
    Document document = compare_document(comparison, question);
    number_variants(comparison, question, std::max(terminal, min_terminal_width) / 4, document);
    render_terminal(document, terminal, sink);
}

void write_compare_csv(const Comparison& comparison,
                       const CompareQuestion& question,
                       std::size_t,
                       TextSink& sink) {
    ReportTable table{program_columns(
        "variant,metric,unit,n,mean,sd,min,max,ci95_low,ci95_high,difference,difference_ci95_low,"
        "difference_ci95_high,deciding_seeds,relative_difference,verdict")};
    for (const ComparedVariant& variant : comparison.variants) {
        for (const std::size_t i : scalars_of(comparison, question)) {
            const RepeatedScalar& scalar = variant.values.scalars[i];
            const bool is_base = variant.differences.empty();
            const Difference difference = is_base ? Difference{} : variant.differences[i];
            table.rows.push_back({variant.label,
                                  scalar.name,
                                  unit_of_scalar(scalar.name),
                                  static_cast<std::int64_t>(scalar.n),
                                  number_of(scalar.mean, scalar.n > 0),
                                  number_of(scalar.sd),
                                  number_of(scalar.min, scalar.n > 0),
                                  number_of(scalar.max, scalar.n > 0),
                                  number_of(scalar.ci_low),
                                  number_of(scalar.ci_high),
                                  number_of(difference.mean, difference.pairs > 0),
                                  number_of(difference.ci_low),
                                  number_of(difference.ci_high),
                                  static_cast<std::int64_t>(difference.deciding),
                                  number_of(difference.relative),
                                  is_base ? "base" : std::string{name(difference.verdict)}});
        }
    }
    put_csv_table(table, sink);
}

void write_compare_markdown(const Comparison& comparison,
                            const CompareQuestion& question,
                            std::size_t,
                            TextSink& sink) {
    render_markdown(compare_document(comparison, question), sink);
}

}} // namespace bursar::reports
