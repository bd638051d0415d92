#include "tools/model/machine_options.hpp"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/catalog/training_defaults.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::int64_t max_job_gpus = 1'000'000'000;
constexpr std::int64_t max_node_gpus = 1024; // the largest NVLink domains have 576

const Dimension& price_of_a_gpu() {
    static constexpr std::array units{Unit{"USD/gpu-h", nano_usd_per_usd}};
    static const Dimension prices{
        "a rate", "2.10 USD/gpu-h", units, 1'000'000 * nano_usd_per_usd, "1000000 USD"};
    return prices;
}

} // namespace

OptionTable<NodeOptions> node_options() {
    using T = NodeOptions;
    return option_table<T>(
        {{{"--gpus-per-node", &T::gpus_per_node, whole_in(up_to(max_node_gpus))},
          "GPUs of a node (default: usual for the GPU: 8, or 4 of GB200 and GB300)"},
         {{"--node-network", &T::node_network, byte_rate()},
          "network bandwidth of one node, all adapters together, e.g. 3200 Gbit/s "
          "(default: usual for the GPU)"},
         {{"--catalog", &T::catalogue, file_name()},
          "GPU catalogue in place of the built-in one"}});
}

OptionTable<MachineOptions> machine_options() {
    using T = MachineOptions;
    return option_table<T>(
        {{{"--gpu", &T::gpu_name, name_among([] { return builtin_catalogue().names(); })},
          "a GPU of `bursar catalog`"},
         {{"--gpus", &T::gpus, whole_in(up_to(max_job_gpus))},
          "GPUs of the job (default: as many as the layout needs, or one node)"},
         {&T::nodes, node_options()}});
}

const Gpu&
gpu_named(const Catalogue& catalogue, const std::string& name, const std::string& option) {
    const Gpu* found = catalogue.find(name);
    if (found == nullptr)
        fail_input(option, none_named("no GPU is", name, catalogue.names()));
    return *found;
}

Gpu NodeOptions::gpu_of(const std::string& name, const std::string& option) const {
    return gpu_named(
        catalogue.empty() ? builtin_catalogue() : read_catalogue(catalogue), name, option);
}

Cluster NodeOptions::cluster_of(const std::string& gpu,
                                const std::string& option,
                                std::optional<std::int64_t> gpus) const {
    const Gpu model = gpu_of(gpu, option);
    Cluster cluster =
        usual_cluster(model, {gpus ? *gpus : node_gpus(model), gpus_per_node, node_network});
    if (!operators.empty())
        operators_of(model).attach_to(cluster, nullptr);
    return cluster;
}

OperatorTable NodeOptions::operators_of(const Gpu& gpu) const {
    return read_operators(
        operators, gpu, catalogue.empty() ? builtin_catalogue() : read_catalogue(catalogue));
}

std::string source_text(const OperatorTable& table, const std::string& file) {
    if (table.rows > 0)
        return fmt::format("operators: {} rows of {}, formulas elsewhere", table.rows, file);
    return fmt::format("operators: no row of {} is of this GPU (it has {}): formulas alone",
                       file,
                       fmt::join(table.others, ", "));
}

MeasureRule<MoneyRate> gpu_hour_price() {
    return {price_of_a_gpu(), "RATE", Zero::allowed, [](std::int64_t nano_usd) {
                return MoneyRate{nano_usd};
            }};
}

MoneyRate gpu_hour_price(const std::string& text, const std::string& option) {
    return MoneyRate{quantity_of(text, price_of_a_gpu(), option, Zero::allowed)};
}

double usd(MoneyRate price) {
    return static_cast<double>(price.count()) / static_cast<double>(nano_usd_per_usd);
}

}} // namespace bursar::tools
