#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/throughputs/throughput_table.hpp"
#include "scenarios/trace_formats/read_trace.hpp"
#include "scenarios/trace_formats/write_trace.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/trace_options.hpp"
#include "scenarios/traces/trace_summary.hpp"

#include "tests/fuzz/targets.hpp"

/// Any bytes are a trace or a ScenarioError; and csv reads back the trace that csv has written.
namespace bursar::fuzz {
namespace {

/// words: what is done with the rows (`skip`, `gpus`, `first`, `scale`, `epoch`, `epoch-ms`,
/// `zone`, `shards`, `positions`, `measured`), anywhere in the line.
TraceOptions options_of(std::string_view format, std::string_view words) {
    TraceOptions options;
    options.file = "fuzz";
    options.format = format;
    const auto says = [&](std::string_view word) { return words.find(word) != words.npos; };
    if (says("skip"))
        options.on_bad_row = OnBadRow::skip;
    if (says("gpus"))
        options.select.gpus = CountRange{1, 64};
    if (says("first"))
        options.select.first = 3;
    if (says("epoch"))
        options.times = says("epoch-ms") ? WrittenTimes::epoch_ms : WrittenTimes::epoch;
    if (says("scale"))
        options.scale = {.time = 0.5, .load = 3, .gpus = 1.5};
    if (says("zone"))
        options.zone = "Europe/Berlin";
    if (says("measured")) {
        auto table = std::make_shared<ThroughputTable>("table");
        table->add("LM (batch size 5)", "K80", 1, 12.5);
        table->add("LM (batch size 5)", "K80", 2, 0);
        options.steps = {.table = table, .gpu = "K80"};
    }
    if (says("shards"))
        options.shards_per_gpu = 4;
    if (says("positions"))
        options.columns = {{"JobID", "1"},
                           {"Submit", "2"},
                           {"Start", "3"},
                           {"End", "4"},
                           {"Elapsed", "5"},
                           {"State", "6"},
                           {"AllocTRES", "7"}};
    return options;
}

void check_trace(const Trace& trace) {
    require(trace.size() > 0);
    const TraceSummary summary = summarise(trace);
    require(summary.jobs == trace.size() && summary.span.count() >= 0);
    std::ostringstream out;
    try {
        write_trace(trace, "csv", out);
    } catch (const ScenarioError&) {
        return; // dates past the year 9999
    }
    const std::string text = out.str();
    TraceOptions options;
    options.file = "again";
    options.format = "csv";
    const Trace back = read_trace(std::make_unique<MemorySource>(text), options);
    require(back.submit_ms == trace.submit_ms && back.duration_ms == trace.duration_ms);
    require(back.gpus == trace.gpus && back.end == trace.end && back.names == trace.names);
    require(back.tenant == trace.tenant && back.zero_utc_ms == trace.zero_utc_ms);
}

void check_file(std::string_view file, const TraceOptions& options) {
    Trace read;
    try {
        read = read_trace(std::make_unique<MemorySource>(file), options);
    } catch (const ScenarioError&) {
        return;
    }
    check_trace(read);
}

void check_format(std::string_view format, std::string_view input) {
    const std::string_view words = take_line(input);
    check_file(input, options_of(format, words));
}

} // namespace

void trace(std::string_view input) {
    const std::string_view words = take_line(input);
    const std::string_view format = words.substr(0, words.find(' '));
    check_file(
        input,
        options_of(format == "any" ? std::string_view{} : format, words.substr(format.size())));
}

void kubectl(std::string_view input) {
    check_format("kubectl-json", input);
}
void sacct(std::string_view input) {
    check_format("sacct", input);
}
void lsf(std::string_view input) {
    check_format("lsb-acct", input);
}
void pbs(std::string_view input) {
    check_format("pbs-accounting", input);
}

} // namespace bursar::fuzz
