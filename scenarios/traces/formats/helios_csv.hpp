#pragma once

#include <array>

#include "scenarios/traces/formats/state_words.hpp"
#include "scenarios/traces/trace_format.hpp"

/// The cluster_log of SenseTime Helios, columns by name, so that both the original's 12 and the 7
/// of its simulator are read. Jobs with gpu_num 0 use CPUs only.
namespace bursar { inline namespace scenarios { namespace helios_csv {

inline constexpr std::array columns{
    CsvColumn{.field = TraceField::job, .name = "job_id", .other_names = {"jobname", "user"}},
    CsvColumn{TraceField::tenant, "vc", ColumnNeed::tells, ColumnWrite::always},
    CsvColumn{TraceField::gpus, "gpu_num", ColumnNeed::tells},
    CsvColumn{TraceField::state, "state", ColumnNeed::tells, ColumnWrite::always},
    CsvColumn{TraceField::submit, "submit_time", ColumnNeed::tells},
    CsvColumn{TraceField::duration, "duration", ColumnNeed::tells},
};
inline constexpr CsvTable table{.columns = columns,
                                .times = TimeForm::stamp,
                                .states = state_words,
                                .state_names = {"COMPLETED", "FAILED", "CANCELLED", "NODE_FAIL"},
                                .written = true};
inline constexpr TraceFormat format{.name = "helios-csv", .csv = &table};

}}} // namespace bursar::scenarios::helios_csv
