#include "scenarios/traces/formats/philly_csv.hpp"

#include "scenarios/traces/csv_columns.hpp"
#include "scenarios/traces/formats/dated_rows.hpp"
#include "scenarios/traces/text/csv_writer.hpp"

namespace bursar {

void read_philly_csv(ByteSource& bytes, TraceBuilder& trace) {
    CsvReader reader{bytes, trace.options().file};
    const CsvHeader header{reader};
    trace.begin(header.names(), TimeForm::stamp);
    const TraceColumns columns{.submit = header.require({"timestamp"}),
                               .duration = header.require({"duration"}),
                               .finish = {},
                               .gpus = header.require({"num_gpus"}),
                               .gpu_milli = {},
                               .gpu_types = {},
                               .tenant = header.find({"cluster"}),
                               .name = header.find({"job_id"}),
                               .state = {}};
    add_rows(reader, columns, trace);
}

void write_philly_csv(const Trace& trace, std::ostream& out) {
    const DatedSubmit submit{trace, "philly-csv"};
    CsvWriter csv{out};
    const bool named = !trace.name_end.empty();
    if (named)
        csv.text("job_id");
    csv.text("timestamp").text("duration").text("num_gpus").text("gpu_time").text("cluster");
    csv.end_row();
    for (std::size_t row = 0; row < trace.size(); ++row) {
        if (named)
            csv.text(trace.name(row));
        const std::int64_t duration = trace.duration_ms[row];
        csv.text(submit.stamp(row)).seconds(duration).number(trace.gpus[row]);
        csv.seconds(duration * trace.gpus[row]).text(tenant_of(trace, row)).end_row();
    }
}

} // namespace bursar
