#include "scenarios/traces/formats/tiresias_csv.hpp"

#include "scenarios/traces/csv_columns.hpp"

namespace bursar {

void read_tiresias_csv(ByteSource& bytes, TraceBuilder& trace) {
    CsvReader reader{bytes, trace.options().file};
    const CsvHeader header{reader};
    trace.begin(header.names(), TimeForm::seconds);
    const TraceColumns columns{.submit = header.require({"submit_time"}),
                               .duration = header.require({"duration"}),
                               .finish = {},
                               .gpus = header.require({"num_gpu"}),
                               .gpu_milli = {},
                               .gpu_types = {},
                               .tenant = {},
                               .name = header.find({"job_id"}),
                               .state = {}};
    add_rows(reader, columns, trace);
}

} // namespace bursar
