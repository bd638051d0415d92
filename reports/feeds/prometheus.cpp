#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/errors/report_error.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/result.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Text between the quotes of a label, without what could drive a terminal.
std::string label_text(std::string_view text) {
    std::string out;
    for (const char c : terminal_text(text)) {
        if (c == '\\' || c == '"')
            out += '\\';
        out += c;
    }
    return out;
}

/// A scalar as a sample. The scalars of a family are one metric with a label.
struct Sample {
    std::string metric; ///< "bursar_cost_by_leaf"
    std::string label;  ///< "leaf"; empty: not in a family
    std::string value;  ///< of the label: "idle.gang"
    double scale{1};    ///< from the scalar to the metric
    std::string help;
};

bool replace_in(std::string& text, std::string_view what, std::string_view by) {
    const std::size_t at = text.find(what);
    if (at != std::string::npos)
        text.replace(at, what.size(), by);
    return at != std::string::npos;
}

/// Prometheus' rules for names: times in seconds, units in full, `_total` for counters alone.
void name_by_rules(Sample& sample, std::string_view unit) {
    std::string& name = sample.metric;
    std::string shown{unit};
    if (replace_in(name, "_hours", "_seconds")) {
        replace_in(shown, "hours", "seconds");
        sample.scale = 3600;
    }
    if (name.ends_with("_s"))
        name += "econds";
    if (name.ends_with("_total"))
        name.resize(name.size() - std::string_view{"_total"}.size());
    if (!shown.empty())
        sample.help += fmt::format(" ({})", shown);
}

Sample sample_of(const ScalarRow& row) {
    Sample sample{.metric = row.name, .label = "", .value = "", .help = ""};
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
    for (const char c : row.meaning) // it has no line breaks
        sample.help += c == '\\' ? "\\\\" : std::string{c};
    name_by_rules(sample, unit_of(row.kind));
    return sample;
}

/// The labels of each run. Throws if two are the same.
std::vector<std::string> labels_of(std::span<const Result* const> runs) {
    std::vector<std::string> all;
    for (const Result* run : runs) {
        all.push_back(fmt::format(
            "scenario=\"{}\",seed=\"{}\"", label_text(run->run.scenario_name), run->run.seed));
        if (std::ranges::count(all, all.back()) > 1)
            throw BadResult{fmt::format("two results are of {} with seed {}, which Prometheus "
                                        "could not tell apart; give their scenarios other names",
                                        terminal_text(run->run.scenario_name),
                                        run->run.seed)};
    }
    return all;
}

void put_header(TextSink& sink, std::string_view metric, std::string_view help) {
    sink.put(fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n", metric, help));
}

} // namespace

void write_prometheus_of(std::span<const Result* const> runs, TextSink& sink) {
    const std::vector<std::string> labels = labels_of(runs);
    std::vector<std::vector<std::optional<double>>> values;
    put_header(sink, "bursar_run_info", "what was run");
    for (std::size_t i = 0; i < runs.size(); ++i) {
        values.push_back(scalar_values(*runs[i]));
        sink.put(fmt::format(
            "bursar_run_info{{{},version=\"{}\",scenario_hash=\"{}\",fingerprint=\"{}\"}} 1\n",
            labels[i],
            label_text(runs[i]->run.version),
            hash_text(runs[i]->run.scenario_hash),
            hash_text(runs[i]->fingerprint)));
    }
    std::vector<Sample> family; // the scalars of one metric
    std::size_t first = 0;      // the first of them
    const auto put_family = [&] {
        bool has_header = false;
        for (std::size_t run = 0; run < runs.size(); ++run)
            for (std::size_t i = 0; i < family.size(); ++i) {
                const std::optional<double> value = values[run][first + i];
                if (!value)
                    continue;
                const Sample& sample = family[i];
                if (!has_header)
                    put_header(sink, sample.metric, sample.help);
                has_header = true;
                sink.put(fmt::format("{}{{{}", sample.metric, labels[run]));
                if (!sample.label.empty())
                    sink.put(fmt::format(",{}=\"{}\"", sample.label, sample.value));
                sink.put("} ");
                sink.put_number(*value * sample.scale);
                sink.put('\n');
            }
    };
    for (std::size_t i = 0; i < scalar_table().size(); ++i) {
        Sample sample = sample_of(scalar_table()[i]);
        if (!family.empty() && family.front().metric != sample.metric) {
            put_family();
            family.clear();
            first = i;
        }
        family.push_back(std::move(sample));
    }
    put_family();
}

void write_prometheus(const Result& result, const OutputOptions&, TextSink& sink) {
    write_prometheus_of(std::array{&result}, sink);
}

}} // namespace bursar::reports
