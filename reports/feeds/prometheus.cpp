#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "reports/outputs/registry.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Text between the quotes of a label.
std::string label_text(std::string_view text) {
    std::string out;
    for (const char c : valid_utf8(text)) {
        if (c == '\n') {
            out += "\\n";
            continue;
        }
        if (c == '\\' || c == '"')
            out += '\\';
        out += c;
    }
    return out;
}

std::string help_text(const ScalarRow& row) {
    std::string out;
    for (const char c : row.meaning) // it has no line breaks
        out += c == '\\' ? "\\\\" : std::string{c};
    const std::string_view unit = unit_of(row.kind);
    return unit.empty() ? out : fmt::format("{} ({})", out, unit);
}

/// A scalar as a sample. The scalars of a family are one metric with a label.
struct Sample {
    std::string metric; ///< "bursar_cost_by_leaf"
    std::string label;  ///< "leaf"; empty: not in a family
    std::string value;  ///< of the label: "idle.gang"
};

Sample sample_of(const ScalarRow& row) {
    Sample sample{row.name, "", ""};
    const std::size_t dot = row.family.rfind('.');
    const std::string last = row.family.substr(dot + 1);
    if (std::ranges::all_of(last, [](char c) { return c >= 'A' && c <= 'Z'; })) {
        sample.metric = row.family.substr(0, dot);
        sample.value = row.name.substr(dot + 1);
        for (const char c : last)
            sample.label += static_cast<char>(c - 'A' + 'a');
    }
    std::ranges::replace(sample.metric, '.', '_');
    sample.metric.insert(0, "bursar_");
    return sample;
}

} // namespace

void write_prometheus(const Result& result, const OutputOptions&, TextSink& sink) {
    const std::string labels = fmt::format(
        "scenario=\"{}\",seed=\"{}\"", label_text(result.run.scenario_name), result.run.seed);
    sink.put("# HELP bursar_run_info what was run\n# TYPE bursar_run_info gauge\n");
    sink.put(fmt::format(
        "bursar_run_info{{{},version=\"{}\",scenario_hash=\"{}\",fingerprint=\"{}\"}} 1\n",
        labels,
        label_text(result.run.version),
        hash_text(result.run.scenario_hash),
        hash_text(result.fingerprint)));
    std::string last;
    const std::vector<std::optional<double>> values = scalar_values(result);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i])
            continue;
        const ScalarRow& row = scalar_table()[i];
        const Sample sample = sample_of(row);
        if (sample.metric != last)
            sink.put(
                fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n", sample.metric, help_text(row)));
        last = sample.metric;
        sink.put(fmt::format("{}{{{}", sample.metric, labels));
        if (!sample.label.empty())
            sink.put(fmt::format(",{}=\"{}\"", sample.label, sample.value));
        sink.put("} ");
        sink.put_number(*values[i]);
        sink.put('\n');
    }
}

}} // namespace bursar::reports
