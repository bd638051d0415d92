#include "scenarios/traces/formats/generic_csv.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/traces/csv_columns.hpp"
#include "scenarios/traces/formats/dated_rows.hpp"
#include "scenarios/traces/formats/state_words.hpp"
#include "scenarios/traces/text/csv_writer.hpp"

namespace bursar {
namespace {

constexpr std::array<std::string_view, 12> own_columns{"job",
                                                       "submit",
                                                       "duration",
                                                       "gpus",
                                                       "tenant",
                                                       "state",
                                                       "gpu_milli",
                                                       "gpu_type",
                                                       "cpu_milli",
                                                       "memory_mib",
                                                       "requested_time",
                                                       "priority"};

/// Looks columns up under the file's names for them.
class MappedHeader {
  public:
    MappedHeader(const CsvHeader& header, const TraceOptions& options)
        : header_{header}, options_{options} {
        const std::vector<std::string> known{own_columns.begin(), own_columns.end()};
        for (const auto& [own, theirs] : options.columns)
            if (std::ranges::find(own_columns, own) == own_columns.end())
                fail_input({options.file, 0, 0},
                           "columns." + own,
                           mistake("no such column of bursar", {}, suggestion(own, known)));
    }

    [[nodiscard]] std::size_t require(const char* own) const {
        const auto mapped = options_.columns.find(own);
        return header_.require({mapped == options_.columns.end() ? own : mapped->second});
    }
    /// A column that was mapped must be there; one that was not may be missing.
    [[nodiscard]] std::optional<std::size_t> find(const char* own) const {
        return options_.columns.contains(own) ? require(own) : header_.find({own});
    }

  private:
    const CsvHeader& header_;
    const TraceOptions& options_;
};

void write_header(const Trace& trace, CsvWriter& csv) {
    if (!trace.name_end.empty())
        csv.text("job");
    csv.text("submit").text("duration").text("gpus");
    if (!trace.tenant.empty())
        csv.text("tenant");
    if (!trace.end.empty())
        csv.text("state");
    if (!trace.gpu_milli.empty())
        csv.text("gpu_milli");
    if (!trace.gpu_types.empty())
        csv.text("gpu_type");
    if (!trace.cpu_milli.empty())
        csv.text("cpu_milli");
    if (!trace.memory_mib.empty())
        csv.text("memory_mib");
    if (!trace.asked_ms.empty())
        csv.text("requested_time");
    if (!trace.priority.empty())
        csv.text("priority");
    csv.end_row();
}

} // namespace

void read_generic_csv(ByteSource& bytes, TraceBuilder& trace) {
    CsvReader reader{bytes, trace.options().file};
    const CsvHeader header{reader};
    const MappedHeader mapped{header, trace.options()};
    trace.begin(header.names(), TimeForm::either, state_words);
    const TraceColumns columns{.submit = mapped.require("submit"),
                               .duration = mapped.require("duration"),
                               .finish = {},
                               .gpus = mapped.require("gpus"),
                               .gpu_milli = mapped.find("gpu_milli"),
                               .cpu_milli = mapped.find("cpu_milli"),
                               .memory_mib = mapped.find("memory_mib"),
                               .gpu_types = mapped.find("gpu_type"),
                               .tenant = mapped.find("tenant"),
                               .name = mapped.find("job"),
                               .state = mapped.find("state"),
                               .asked = mapped.find("requested_time"),
                               .priority = mapped.find("priority")};
    add_rows(reader, columns, trace);
}

void write_generic_csv(const Trace& trace, std::ostream& out) {
    std::optional<DatedSubmit> dated;
    if (trace.zero_utc_ms)
        dated.emplace(trace, "csv");
    CsvWriter csv{out};
    write_header(trace, csv);
    for (std::size_t row = 0; row < trace.size(); ++row) {
        if (!trace.name_end.empty())
            csv.text(trace.name(row));
        if (dated)
            csv.text(dated->stamp(row) + 'Z');
        else
            csv.seconds(trace.submit_ms[row]);
        csv.seconds(trace.duration_ms[row]).number(trace.gpus[row]);
        if (!trace.tenant.empty())
            csv.text(trace.tenants[trace.tenant[row]]);
        if (!trace.end.empty())
            csv.text(state_word(trace.end[row]));
        if (!trace.gpu_milli.empty())
            csv.number(trace.gpu_milli[row]);
        if (!trace.gpu_types.empty())
            csv.text(fmt::format("{}", fmt::join(trace.gpu_type_sets[trace.gpu_types[row]], "|")));
        if (!trace.cpu_milli.empty())
            csv.number(trace.cpu_milli[row]);
        if (!trace.memory_mib.empty())
            csv.number(trace.memory_mib[row]);
        if (!trace.asked_ms.empty())
            csv.seconds(trace.asked_ms[row]);
        if (!trace.priority.empty())
            csv.text(std::to_string(trace.priority[row]));
        csv.end_row();
    }
}

} // namespace bursar
