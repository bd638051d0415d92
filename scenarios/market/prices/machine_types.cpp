#include "scenarios/market/prices/machine_types.hpp"

#include <algorithm>
#include <array>

#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

struct MachineType {
    std::string_view name; ///< in lower case, without blanks and underscores
    MachineGpus has;
};

constexpr std::array machine_types{
    // AWS
    MachineType{"p2.xlarge", {1, "K80"}},
    MachineType{"p2.8xlarge", {8, "K80"}},
    MachineType{"p2.16xlarge", {16, "K80"}},
    MachineType{"p3.2xlarge", {1, "V100"}},
    MachineType{"p3.8xlarge", {4, "V100"}},
    MachineType{"p3.16xlarge", {8, "V100"}},
    MachineType{"p3dn.24xlarge", {8, "V100"}},
    MachineType{"p4d.24xlarge", {8, "A100"}},
    MachineType{"p4de.24xlarge", {8, "A100"}},
    MachineType{"p5.48xlarge", {8, "H100"}},
    MachineType{"p5e.48xlarge", {8, "H200"}},
    MachineType{"p5en.48xlarge", {8, "H200"}},
    MachineType{"g4dn.xlarge", {1, "T4"}},
    MachineType{"g4dn.2xlarge", {1, "T4"}},
    MachineType{"g4dn.4xlarge", {1, "T4"}},
    MachineType{"g4dn.8xlarge", {1, "T4"}},
    MachineType{"g4dn.12xlarge", {4, "T4"}},
    MachineType{"g4dn.16xlarge", {1, "T4"}},
    MachineType{"g4dn.metal", {8, "T4"}},
    MachineType{"g5.xlarge", {1, "A10G"}},
    MachineType{"g5.2xlarge", {1, "A10G"}},
    MachineType{"g5.4xlarge", {1, "A10G"}},
    MachineType{"g5.8xlarge", {1, "A10G"}},
    MachineType{"g5.12xlarge", {4, "A10G"}},
    MachineType{"g5.16xlarge", {1, "A10G"}},
    MachineType{"g5.24xlarge", {4, "A10G"}},
    MachineType{"g5.48xlarge", {8, "A10G"}},
    MachineType{"g6.xlarge", {1, "L4"}},
    MachineType{"g6.2xlarge", {1, "L4"}},
    MachineType{"g6.4xlarge", {1, "L4"}},
    MachineType{"g6.8xlarge", {1, "L4"}},
    MachineType{"g6.12xlarge", {4, "L4"}},
    MachineType{"g6.16xlarge", {1, "L4"}},
    MachineType{"g6.24xlarge", {4, "L4"}},
    MachineType{"g6.48xlarge", {8, "L4"}},
    // Google
    MachineType{"a2-highgpu-1g", {1, "A100"}},
    MachineType{"a2-highgpu-2g", {2, "A100"}},
    MachineType{"a2-highgpu-4g", {4, "A100"}},
    MachineType{"a2-highgpu-8g", {8, "A100"}},
    MachineType{"a2-megagpu-16g", {16, "A100"}},
    MachineType{"a2-ultragpu-1g", {1, "A100"}},
    MachineType{"a2-ultragpu-2g", {2, "A100"}},
    MachineType{"a2-ultragpu-4g", {4, "A100"}},
    MachineType{"a2-ultragpu-8g", {8, "A100"}},
    MachineType{"a3-highgpu-1g", {1, "H100"}},
    MachineType{"a3-highgpu-2g", {2, "H100"}},
    MachineType{"a3-highgpu-4g", {4, "H100"}},
    MachineType{"a3-highgpu-8g", {8, "H100"}},
    MachineType{"a3-megagpu-8g", {8, "H100"}},
    MachineType{"a3-ultragpu-8g", {8, "H200"}},
    MachineType{"g2-standard-4", {1, "L4"}},
    MachineType{"g2-standard-8", {1, "L4"}},
    MachineType{"g2-standard-12", {1, "L4"}},
    MachineType{"g2-standard-16", {1, "L4"}},
    MachineType{"g2-standard-24", {2, "L4"}},
    MachineType{"g2-standard-32", {1, "L4"}},
    MachineType{"g2-standard-48", {4, "L4"}},
    MachineType{"g2-standard-96", {8, "L4"}},
    // Azure
    MachineType{"nc6", {1, "K80"}},
    MachineType{"nc12", {2, "K80"}},
    MachineType{"nc24", {4, "K80"}},
    MachineType{"nc24r", {4, "K80"}},
    MachineType{"nc6sv2", {1, "P100"}},
    MachineType{"nc12sv2", {2, "P100"}},
    MachineType{"nc24sv2", {4, "P100"}},
    MachineType{"nc24rsv2", {4, "P100"}},
    MachineType{"nc6sv3", {1, "V100"}},
    MachineType{"nc12sv3", {2, "V100"}},
    MachineType{"nc24sv3", {4, "V100"}},
    MachineType{"nc24rsv3", {4, "V100"}},
    MachineType{"nd40rsv2", {8, "V100"}},
    MachineType{"nd96asrv4", {8, "A100"}},
    MachineType{"nd96amsra100v4", {8, "A100"}},
    MachineType{"nc24adsa100v4", {1, "A100"}},
    MachineType{"nc48adsa100v4", {2, "A100"}},
    MachineType{"nc96adsa100v4", {4, "A100"}},
    MachineType{"nd96isrh100v5", {8, "H100"}},
    MachineType{"nd96isrh200v5", {8, "H200"}},
};

} // namespace

std::optional<MachineGpus> machine_gpus(std::string_view type) {
    std::string name = lower_case(type);
    std::erase_if(name, [](char c) { return c == ' ' || c == '_'; });
    constexpr std::string_view azure = "standard";
    if (name.starts_with(azure))
        name.erase(0, azure.size());
    const auto* const found = std::ranges::find(machine_types, name, &MachineType::name);
    return found == machine_types.end() ? std::nullopt : std::optional{found->has};
}

bool names_gpu(const std::string& gpu, std::string_view word) {
    std::string_view rest = gpu;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find_first_of(" -_"), rest.size());
        if (lower_case(rest.substr(0, end)) == lower_case(word))
            return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

}} // namespace bursar::scenarios
