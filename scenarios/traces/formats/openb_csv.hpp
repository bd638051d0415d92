#pragma once

#include <array>

#include "scenarios/traces/trace_format.hpp"

/// Pods of Alibaba's openb cluster (cluster-trace-gpu-v2023). A pod without GPUs asks for CPU and
/// memory alone. pod_phase is a snapshot, not an end state, and is not read. The multigpuXX lists
/// have no times and are refused.
namespace bursar { inline namespace scenarios { namespace openb_csv {

inline constexpr std::string_view no_times =
    "the multigpu lists have no times: use one of the other lists";

inline constexpr std::array columns{
    CsvColumn{TraceField::job, "name"},
    CsvColumn{TraceField::cpu_milli, "cpu_milli"},
    CsvColumn{TraceField::memory_mib, "memory_mib"},
    CsvColumn{TraceField::gpus, "num_gpu", ColumnNeed::tells},
    CsvColumn{TraceField::gpu_milli, "gpu_milli", ColumnNeed::tells},
    CsvColumn{TraceField::gpu_type, "gpu_spec"},
    CsvColumn{.field = TraceField::submit,
              .name = "creation_time",
              .need = ColumnNeed::required,
              .hint = no_times},
    CsvColumn{.field = TraceField::finish,
              .name = "deletion_time",
              .need = ColumnNeed::required,
              .hint = no_times},
};
inline constexpr CsvTable table{.columns = columns};
inline constexpr TraceFormat format{.name = "openb-csv", .csv = &table};

}}} // namespace bursar::scenarios::openb_csv
