#pragma once

#include <string>
#include <vector>

namespace bursar {

/// The names a scenario's policy slots accept: the registries' own, handed in by the caller.
struct PolicyNames {
    std::vector<std::string> queue;
    std::vector<std::string> head;
    std::vector<std::string> capacity;
    std::vector<std::string> placement;
    std::vector<std::string> broker;
};

/// Every list of names that a scenario may choose from and that has its one home elsewhere.
struct KnownNames {
    PolicyNames policy;
    std::vector<std::string> trace_formats;
    std::vector<std::string> synthetic; ///< workloads the generator imitates
};

} // namespace bursar
