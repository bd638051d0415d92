#include "scenarios/traces/formats/openb_csv.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/traces/csv_columns.hpp"

namespace bursar {

void read_openb_csv(ByteSource& bytes, TraceBuilder& trace) {
    CsvReader reader{bytes, trace.options().file};
    const CsvHeader header{reader};
    if (!header.find({"creation_time"}) && !header.find({"deletion_time"}))
        fail_input({reader.file(), 1, 0},
                   {},
                   mistake("this pod list has no times",
                           "no columns creation_time and deletion_time, as in the multigpu lists",
                           "use one of the other lists"));
    trace.begin(header.names(), TimeForm::seconds);
    const TraceColumns columns{.submit = header.require({"creation_time"}),
                               .duration = {},
                               .finish = header.require({"deletion_time"}),
                               .gpus = header.require({"num_gpu"}),
                               .gpu_milli = header.require({"gpu_milli"}),
                               .cpu_milli = header.find({"cpu_milli"}),
                               .memory_mib = header.find({"memory_mib"}),
                               .gpu_types = header.find({"gpu_spec"}),
                               .tenant = {},
                               .name = header.find({"name"}),
                               .state = {}};
    add_rows(reader, columns, trace);
}

} // namespace bursar
