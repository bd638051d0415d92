#pragma once

#include <string>

#include <fmt/format.h>

namespace bursar::test {

/// The scenario of the golden cases: trace M, from file `trace`, on 16 nodes of 8 GPUs.
inline std::string
trace_m_scenario(const std::string& trace, const std::string& format, const std::string& policy) {
    return fmt::format(R"(
bursar: 1
name: golden trace M
workload: {{trace: {{file: {}, format: {}}}}}
fleet: [{{pool: m, purchase: owned, gpu: V100, nodes: 16, gpus_per_node: 8, price: 1 USD/gpu-h}}]
policy: {}
)",
                       trace,
                       format,
                       policy);
}

} // namespace bursar::test
