#include "tools/bursar/model/cluster_options.hpp"

#include <fmt/format.h>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/quantity_rule.hpp"

#include "tools/bursar/validators.hpp"

namespace bursar {
namespace {

/// One 400 Gbit/s adapter per GPU, as H100 clusters have them (design: 2023 reference nodes).
constexpr double usual_nic = 50e9;
constexpr std::int64_t most_gpus = 1'000'000'000;
constexpr std::int64_t most_gpus_per_node = 1024; // the largest NVLink domains have 576
constexpr Seconds node_latency{10e-6};
constexpr Seconds fabric_latency{20e-6};
constexpr ByteRate usual_host_link{31e9}; ///< PCIe 4 x16

} // namespace

void ClusterOptions::add_to(CLI::App& command) {
    command.add_option("--gpu", gpu_, "a GPU of `bursar catalog`")
        ->type_name("NAME")
        ->capture_default_str();
    command.add_option("--gpus", gpus_, "GPUs of the job (what the layout takes, or one node)")
        ->check(above_zero)
        ->check(CLI::Range(std::int64_t{1}, most_gpus))
        ->type_name("N");
    command.add_option("--gpus-per-node", gpus_per_node_, "GPUs behind one scale-up link")
        ->check(above_zero)
        ->check(CLI::Range(std::int64_t{1}, most_gpus_per_node))
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--node-network",
                    node_network_,
                    "what one node sends to others, all adapters together, e.g. 3200 Gbit/s "
                    "(400 Gbit/s for each GPU)")
        ->type_name("RATE");
    command.add_option("--catalog", catalogue_, "GPU catalogue in place of the built-in one")
        ->type_name("FILE");
}

Gpu ClusterOptions::gpu() const {
    const Catalogue catalogue =
        catalogue_.empty() ? builtin_catalogue() : read_catalogue(catalogue_);
    const Gpu* found = catalogue.find(gpu_);
    if (found == nullptr)
        fail_input({"--gpu"},
                   {},
                   mistake(fmt::format("no GPU is called {}", in_quotes(gpu_)),
                           {},
                           suggestion(gpu_, catalogue.names())));
    return *found;
}

Cluster ClusterOptions::cluster(std::int64_t gpus) const {
    Cluster cluster;
    cluster.gpu = gpu();
    cluster.gpus_per_node = gpus_per_node_;
    cluster.host_link = usual_host_link;
    const double per_node =
        node_network_.empty()
            ? usual_nic * static_cast<double>(gpus_per_node_)
            : static_cast<double>(quantity_of(node_network_, byte_rates, "--node-network"));
    cluster.tree.levels.push_back(
        {"node", gpus_per_node_, scaleup_bandwidth(cluster.gpu), node_latency, false, "catalogue"});
    if (gpus > gpus_per_node_)
        cluster.tree.levels.push_back({"fabric",
                                       gpus,
                                       ByteRate{per_node / static_cast<double>(gpus_per_node_)},
                                       fabric_latency,
                                       false,
                                       "--node-network"});
    return cluster;
}

} // namespace bursar
