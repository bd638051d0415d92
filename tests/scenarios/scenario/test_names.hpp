#pragma once

#include "scenarios/scenario/known_names.hpp"

namespace bursar::test {

/// Names as the registries hand them in.
inline const KnownNames& known_names() {
    static const KnownNames names{.policy = {.queue = {"fifo", "sjf"},
                                             .head = {"block", "skip"},
                                             .capacity = {"count", "nodes"},
                                             .placement = {"first-fit", "consolidated"},
                                             .broker = {"owned-first"}},
                                  .trace_formats = {"csv", "philly-csv", "helios-cluster-log"},
                                  .synthetic = {"philly", "helios", "pai"}};
    return names;
}

} // namespace bursar::test
