#include "scenarios/traces/formats/helios_csv.hpp"

#include "scenarios/traces/csv_columns.hpp"
#include "scenarios/traces/formats/dated_rows.hpp"
#include "scenarios/traces/formats/state_words.hpp"
#include "scenarios/traces/text/csv_writer.hpp"

namespace bursar {
namespace {

std::string_view helios_word(JobEnd end) {
    switch (end) {
    case JobEnd::completed:
        return "COMPLETED";
    case JobEnd::failed:
        return "FAILED";
    case JobEnd::cancelled:
        return "CANCELLED";
    case JobEnd::node_failed:
        return "NODE_FAIL";
    }
    return {};
}

} // namespace

void read_helios_csv(ByteSource& bytes, TraceBuilder& trace) {
    CsvReader reader{bytes, trace.options().file};
    const CsvHeader header{reader};
    trace.begin(header.names(), TimeForm::stamp, state_words);
    const TraceColumns columns{.submit = header.require({"submit_time"}),
                               .duration = header.require({"duration"}),
                               .finish = {},
                               .gpus = header.require({"gpu_num"}),
                               .gpu_milli = {},
                               .gpu_types = {},
                               .tenant = header.require({"vc"}),
                               .name = header.find({"job_id", "jobname", "user"}),
                               .state = header.require({"state"})};
    add_rows(reader, columns, trace);
}

void write_helios_csv(const Trace& trace, std::ostream& out) {
    const DatedSubmit submit{trace, "helios-csv"};
    CsvWriter csv{out};
    const bool named = !trace.name_end.empty();
    if (named)
        csv.text("job_id");
    csv.text("vc").text("gpu_num").text("state").text("submit_time").text("duration").end_row();
    for (std::size_t row = 0; row < trace.size(); ++row) {
        if (named)
            csv.text(trace.name(row));
        const JobEnd end = trace.end.empty() ? JobEnd::completed : trace.end[row];
        csv.text(tenant_of(trace, row)).number(trace.gpus[row]).text(helios_word(end));
        csv.text(submit.stamp(row)).seconds(trace.duration_ms[row]).end_row();
    }
}

} // namespace bursar
