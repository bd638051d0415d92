#include "scenarios/traces/formats/arrival_csv.hpp"

#include "scenarios/traces/csv_columns.hpp"
#include "scenarios/traces/text/csv_writer.hpp"

namespace bursar {

void read_arrival_csv(ByteSource& bytes, TraceBuilder& trace) {
    CsvReader reader{bytes, trace.options().file};
    const CsvHeader header{reader};
    trace.begin(header.names(), TimeForm::seconds);
    const TraceColumns columns{.submit = header.require({"arrival_s"}),
                               .duration = header.require({"service_sec"}),
                               .finish = {},
                               .gpus = header.require({"gpu_count"}),
                               .gpu_milli = {},
                               .gpu_types = {},
                               .tenant = {},
                               .name = header.find({"job_id"}),
                               .state = {}};
    add_rows(reader, columns, trace);
}

void write_arrival_csv(const Trace& trace, std::ostream& out) {
    CsvWriter csv{out};
    csv.text("job_id").text("arrival_s").text("service_sec").text("gpu_count").end_row();
    for (std::size_t row = 0; row < trace.size(); ++row) {
        if (trace.name_end.empty())
            csv.number(static_cast<std::int64_t>(row));
        else
            csv.text(trace.name(row));
        csv.seconds(trace.submit_ms[row]).seconds(trace.duration_ms[row]).number(trace.gpus[row]);
        csv.end_row();
    }
}

} // namespace bursar
