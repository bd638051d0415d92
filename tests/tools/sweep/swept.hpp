#pragma once

#include <cstddef>
#include <string>

#include "reports/sweep/sweep_formats.hpp"

#include "tools/sweep/run_sweep.hpp"

namespace bursar::test {

/// All runs of a plan, made in memory.
inline SweepTable swept(const SweepPlan& plan, std::size_t threads = 1) {
    SweepStore store{{}, planned_table(plan)};
    run_sweep(plan, store, {.threads = threads});
    return store.table();
}
inline SweepTable swept(const SweepRequest& request, std::size_t threads = 1) {
    return swept(SweepPlan{request}, threads);
}

inline std::string csv_of(const SweepTable& table) {
    StringSink sink;
    write_sweep_csv(table, sink);
    return sink.text();
}

} // namespace bursar::test
