#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bursar { inline namespace scenarios {

/// One node of an openb node list.
struct NodeRow {
    std::string name;         ///< column sn
    std::int64_t cpu_milli{}; ///< thousandths of a core
    std::int64_t memory_mib{};
    std::uint32_t gpus{}; ///< 0: a CPU node
    std::string model;    ///< GPU type; empty where there is no GPU
};

/// Nodes of Alibaba's openb cluster (columns sn, cpu_milli, memory_mib, gpu, model by name), in
/// file order. Throws ScenarioError with up to 20 mistakes.
std::vector<NodeRow> read_openb_nodes(const std::string& file);

}} // namespace bursar::scenarios
