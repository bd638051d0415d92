#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/trace_formats/read_trace.hpp"
#include "scenarios/trace_formats/write_trace.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/trace_options.hpp"
#include "scenarios/traces/trace_summary.hpp"

/// Any bytes are a trace or a ScenarioError, nothing else; and what csv writes of a trace, csv
/// reads back. The first line is words: the format's name, or `any` to have it recognised, then
/// what is done with the rows (`skip`, `gpus`, `first`, `scale`, `epoch`, `epoch-ms`). The rest is
/// the file, packed or not.
namespace bursar { namespace {

TraceOptions options_of(std::string_view line) {
    TraceOptions options;
    options.file = "fuzz";
    const std::size_t end = std::min(line.find(' '), line.size());
    if (line.substr(0, end) != "any")
        options.format = line.substr(0, end);
    const std::string_view words = line.substr(end);
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
    return options;
}

void require(bool holds) {
    if (!holds)
        std::abort();
}

void check(const Trace& trace) {
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

} // namespace
} // namespace bursar

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace bursar;
    const std::string_view input{reinterpret_cast<const char*>(data),
                                 size}; // NOLINT: bytes are text
    const std::size_t end = input.find('\n');
    if (end == std::string_view::npos)
        return 0;
    Trace trace;
    try {
        trace = read_trace(std::make_unique<MemorySource>(input.substr(end + 1)),
                           options_of(input.substr(0, end)));
    } catch (const ScenarioError&) {
        return 0; // the expected answer to most inputs
    }
    check(trace);
    return 0;
}
