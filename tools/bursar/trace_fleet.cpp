#include "tools/bursar/trace_fleet.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "scenarios/trace_formats/openb_nodes.hpp"

namespace bursar { inline namespace tools {
namespace {

/// A pool name may hold small letters, digits and '-'.
std::string pool_name(const std::string& model, std::uint32_t gpus_per_node) {
    std::string name = model;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
        return std::isalnum(c) != 0 ? static_cast<char>(std::tolower(c)) : '-';
    });
    return fmt::format("{}-x{}", name, gpus_per_node);
}

} // namespace

void print_fleet_of_nodes(const std::string& file) {
    std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> num_nodes;
    for (const NodeRow& node : read_openb_nodes(file)) {
        if (node.gpus > 0)
            ++num_nodes[{node.model, node.gpus}];
    }
    fmt::print(
        "fleet:    # fill in purchase and price; `bursar catalog` lists the GPUs that are known\n");
    for (const auto& [shape, count] : num_nodes) {
        fmt::print("  - {{pool: {}, gpu: {}, nodes: {}, gpus_per_node: {}, purchase: , price: }}\n",
                   pool_name(shape.first, shape.second),
                   shape.first,
                   count,
                   shape.second);
    }
}

}} // namespace bursar::tools
