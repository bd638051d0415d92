#include "tools/model/options/cluster_options.hpp"

#include <fmt/format.h>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/quantity_rule.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::int64_t max_job_gpus = 1'000'000'000;
constexpr std::int64_t max_gpus_per_node = 1024; // the largest NVLink domains have 576

} // namespace

void ClusterOptions::add_to(Command command) {
    command.add_option("--gpu", gpu_, "a GPU of `bursar catalog`")
        .type_name("NAME")
        .completes([] { return builtin_catalogue().names(); })
        .show_default();
    command
        .add_option("--gpus",
                    gpus_,
                    up_to(max_job_gpus),
                    "GPUs of the job (default: as many as the layout needs, or one node)")
        .type_name("N");
    add_nodes(command);
}

void ClusterOptions::add_nodes(Command command) {
    command
        .add_option("--gpus-per-node",
                    gpus_per_node_,
                    up_to(max_gpus_per_node),
                    "GPUs behind one scale-up link")
        .type_name("N")
        .show_default();
    command
        .add_option("--node-network",
                    node_network_,
                    "network bandwidth of one node, all adapters together, e.g. 3200 Gbit/s "
                    "(default: usual for the GPU)")
        .type_name("RATE");
    command.add_option("--catalog", catalogue_, "GPU catalogue in place of the built-in one")
        .type_name("FILE");
}

Gpu ClusterOptions::find_gpu(const std::string& name, const std::string& option) const {
    const Catalogue catalogue =
        catalogue_.empty() ? builtin_catalogue() : read_catalogue(catalogue_);
    const Gpu* found = catalogue.find(name);
    if (found == nullptr)
        fail_input({option},
                   {},
                   mistake(fmt::format("no GPU is named {}", in_quotes(name)),
                           {},
                           suggestion(name, catalogue.names())));
    return *found;
}

Gpu ClusterOptions::gpu() const {
    return find_gpu(gpu_, "--gpu");
}

Cluster ClusterOptions::cluster() const {
    return cluster_of(gpu_, "--gpu");
}

Cluster ClusterOptions::cluster_of(const std::string& gpu, const std::string& option) const {
    const Gpu model = find_gpu(gpu, option);
    return make_cluster(model,
                        gpus_per_node_,
                        node_network_.empty() ? usual_node_network(model, gpus_per_node_)
                                              : ByteRate{static_cast<double>(quantity_of(
                                                    node_network_, byte_rates, "--node-network"))});
}

}} // namespace bursar::tools
