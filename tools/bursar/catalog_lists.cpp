#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/training/job/flops.hpp"

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/catalog/carbon.hpp"
#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/catalog/failure_rates.hpp"
#include "scenarios/catalog/links_and_servers.hpp"
#include "scenarios/catalog/precision_gains.hpp"
#include "scenarios/catalog/profiles.hpp"
#include "scenarios/catalog/stacks.hpp"
#include "scenarios/catalog/storage_tiers.hpp"

#include "tools/bursar/catalog.hpp"
#include "tools/command_line/answer_options.hpp"

namespace bursar { inline namespace tools {
namespace {

ReportTable transformer_table(const Architectures& architectures) {
    ReportTable table{"transformers",
                      "Transformers",
                      {{"name", "name", ""},
                       {"parameters", "parameters", ""},
                       {"layers", "layers", ""},
                       {"hidden", "hidden", ""},
                       {"ffn", "ffn", ""},
                       {"heads", "heads", ""},
                       {"kv_heads", "kv heads", ""},
                       {"experts", "experts", ""},
                       {"vocab", "vocab", ""},
                       {"sequence", "sequence", ""}},
                      {}};
    for (const Architecture& one : architectures.all)
        if (const auto* model = std::get_if<Transformer>(&one))
            table.rows.push_back({model->name,
                                  parameters(*model),
                                  model->layers,
                                  model->hidden,
                                  model->ffn,
                                  model->heads,
                                  model->kv_heads,
                                  model->experts ? Cell{model->experts->count} : Cell{not_known},
                                  model->vocab,
                                  model->sequence});
    return table;
}

ReportTable network_table(const Architectures& architectures) {
    ReportTable table{"networks",
                      "Other networks",
                      {{"name", "name", ""},
                       {"parameters", "parameters", ""},
                       {"flops_per_sample", "work per sample", "FLOP"},
                       {"traffic_per_sample", "memory traffic", "B"}},
                      {}};
    for (const Architecture& one : architectures.all)
        if (const auto* network = std::get_if<GenericNetwork>(&one)) {
            const double traffic = network->traffic_per_sample.count();
            table.rows.push_back({network->name,
                                  network->parameters,
                                  network->flops_per_sample.count(),
                                  traffic > 0 ? traffic : not_known});
        }
    return table;
}

/// Each source once, with its networks.
std::vector<std::string> sources_of(const Architectures& architectures) {
    std::vector<std::pair<std::string, std::string>> networks_by_source;
    for (const Architecture& one : architectures.all) {
        const ArchitectureOrigin& origin = architectures.origin(one);
        const std::string source = fmt::format("{} ({})", origin.source, origin.date);
        const auto known = std::ranges::find(
            networks_by_source, source, &std::pair<std::string, std::string>::first);
        if (known == networks_by_source.end())
            networks_by_source.emplace_back(source, name(one));
        else
            known->second += ", " + name(one);
    }
    std::vector<std::string> sources;
    for (const auto& [source, names] : networks_by_source)
        sources.push_back(names + ": " + source);
    return sources;
}

Document models_answer(const std::string& file) {
    const Architectures architectures =
        file.empty() ? builtin_architectures() : read_architectures(file);
    Document answer;
    answer.command = "catalog models";
    answer.blocks = {transformer_table(architectures), network_table(architectures)};
    answer.sources = sources_of(architectures);
    return answer;
}

std::string measurements_of(const StackProfile& profile) {
    std::string text;
    for (const FittedOn& seen : profile.fitted_on)
        text +=
            fmt::format("{}{}{}",
                        text.empty() ? "" : "; ",
                        seen.source,
                        seen.rows.empty() ? "" : fmt::format(" ({})", fmt::join(seen.rows, ", ")));
    return text.empty() ? "none" : text;
}

Document stacks_answer(const std::string& file) {
    const Stacks stacks = file.empty() ? builtin_stacks() : read_stacks(file);
    ReportTable table{"stacks",
                      "Software stacks; the first is the default",
                      {{"name", "name", ""},
                       {"frameworks", "frameworks", ""},
                       {"held_out_error", "held-out error", ""},
                       {"fitted_on", "fitted on", ""},
                       {"source", "source", ""}},
                      {}};
    for (const StackProfile& profile : stacks.all)
        table.rows.push_back({profile.name,
                              fmt::format("{}", fmt::join(profile.frameworks, ", ")),
                              profile.held_out_error.value_or(not_known),
                              measurements_of(profile),
                              profile.source});
    Document answer;
    answer.command = "catalog stacks";
    answer.add(std::move(table));
    return answer;
}

Document carbon_answer(const std::string& file) {
    const CarbonCatalogue catalogue =
        file.empty() ? builtin_carbon_catalogue() : read_carbon_catalogue(file);
    ReportTable table{"regions",
                      "Electricity of cloud regions, mean of a year",
                      {{"provider", "provider", ""},
                       {"region", "region", ""},
                       {"place", "place", ""},
                       {"g_per_kwh", "carbon intensity", "g/kWh"},
                       {"pue", "PUE", ""}},
                      {}};
    for (const CarbonProvider& provider : catalogue.providers)
        for (const GridRegion& region : provider.regions)
            table.rows.push_back(
                {provider.name, region.name, region.place, region.intensity.count(), provider.pue});
    Document answer;
    answer.command = "catalog carbon";
    for (const CarbonProvider& provider : catalogue.providers)
        answer.sources.push_back(fmt::format("{}: {} ({}); PUE: {}",
                                             provider.name,
                                             provider.source,
                                             provider.vintage,
                                             provider.pue_source));
    for (const OperatorPue& one : catalogue.operators)
        answer.sources.push_back(
            fmt::format("PUE of {}: {:g}, {}", one.name, one.pue, one.pue_source));
    answer.sources.push_back(fmt::format(
        "without an operator: PUE {:g}, {}", catalogue.unknown_pue, catalogue.unknown_pue_source));
    answer.add(std::move(table));
    return answer;
}

Document links_answer(const std::string& file) {
    const std::shared_ptr<const LinkTable> links =
        file.empty() ? builtin_links() : read_catalogue(file).links;
    ReportTable table{"links",
                      "Links of GPUs and between nodes",
                      {{"name", "name", ""},
                       {"kind", "kind", ""},
                       {"rate", "rate", "B/s"},
                       {"efficiency", "reached", "fraction"},
                       {"startup_s", "startup", "s"},
                       {"hop_s", "hop", "s"},
                       {"gpus", "GPUs", ""}},
                      {}};
    Document answer;
    answer.command = "catalog links";
    for (const LinkFacts& link : links->all) {
        table.rows.push_back({link.name,
                              std::string{link_kind_names[static_cast<std::size_t>(link.kind)]},
                              link.gb_s * bytes_per_gb,
                              link.efficiency,
                              link.startup_us * 1e-6,
                              link.hop_us * 1e-6,
                              fmt::format("{}", fmt::join(link.gpus, ", "))});
        answer.sources.push_back(fmt::format("{}: {}", link.name, link.source));
    }
    answer.add(std::move(table));
    return answer;
}

Document servers_answer(const std::string& file) {
    const std::shared_ptr<const ServerTable> servers =
        file.empty() ? builtin_servers() : read_catalogue(file).servers;
    const auto rate = [](double gb_s) { return gb_s > 0 ? gb_s * bytes_per_gb : not_known; };
    ReportTable table{"servers",
                      "Servers that GPUs are assumed to stand in",
                      {{"name", "name", ""},
                       {"host_copy", "host copy", "B/s"},
                       {"nic", "NIC of a GPU", "B/s"},
                       {"shared_nics", "NICs of a node", "B/s"},
                       {"gpus_per_node", "GPUs of a node", ""},
                       {"gpus", "GPUs", ""}},
                      {}};
    Document answer;
    answer.command = "catalog servers";
    for (const ServerFacts& server : servers->all) {
        table.rows.push_back({server.name,
                              rate(server.host_gb_s),
                              rate(server.nic_gb_s),
                              rate(server.shared_gb_s),
                              server.gpus_per_node,
                              fmt::format("{}{}{}",
                                          fmt::join(server.gpus, ", "),
                                          server.for_unknown && !server.gpus.empty() ? ", " : "",
                                          server.for_unknown ? "all others" : "")});
        answer.sources.push_back(fmt::format("{}: {}", server.name, server.source));
    }
    answer.add(std::move(table));
    return answer;
}

Document failures_answer(const std::string& file) {
    const FailureCatalogue catalogue =
        file.empty() ? builtin_failure_rates() : read_failure_rates(file);
    ReportTable table{"rates",
                      "Failure rates; the first is the default",
                      {{"name", "name", ""},
                       {"per_job_day", "per job and day", ""},
                       {"per_node_day", "per node and day", ""},
                       {"min_nodes", "min nodes", ""},
                       {"max_nodes", "max nodes", ""},
                       {"era", "of", ""}},
                      {}};
    ReportTable restarts{"restarts",
                         "From a failure to training again, without loading",
                         {{"name", "name", ""},
                          {"restart_s", "takes", "s"},
                          {"from_nodes", "from nodes", ""},
                          {"era", "of", ""}},
                         {}};
    Document answer;
    answer.command = "catalog failures";
    for (const NamedFailureRates& one : catalogue.all) {
        table.rows.push_back({one.name,
                              one.rates.per_job_day,
                              one.rates.per_node_day,
                              one.min_nodes,
                              one.max_nodes,
                              one.era});
        answer.sources.push_back(fmt::format("{}: {}", one.name, one.source));
    }
    for (const NamedRestart& one : catalogue.restarts) {
        restarts.rows.push_back({one.name, 60 * one.minutes, one.from_nodes, one.era});
        answer.sources.push_back(fmt::format("{}: {}", one.name, one.source));
    }
    answer.add(std::move(table));
    answer.add(std::move(restarts));
    answer.add(Facts{"writes",
                     "How fast jobs save",
                     {{"per_node_b_s",
                       "of one node",
                       catalogue.writes.per_node_gb_s * bytes_per_gb,
                       "B/s",
                       catalogue.writes.source},
                      {"most_b_s",
                       "at most",
                       catalogue.writes.most_gb_s * bytes_per_gb,
                       "B/s",
                       "of all nodes together"}}});
    return answer;
}

std::string formats_text(const std::vector<Precision>& formats) {
    std::vector<std::string_view> names;
    for (const Precision format : formats)
        names.push_back(name(format));
    return fmt::format("{}", fmt::join(names, ", "));
}

Document precision_answer(const std::string& file) {
    const PrecisionGains gains =
        file.empty() ? builtin_precision_gains() : read_precision_gains(file);
    ReportTable table{"gains",
                      "Speedup of whole training jobs by shorter number formats",
                      {{"name", "name", ""},
                       {"from", "from", ""},
                       {"to", "to", ""},
                       {"low", "least", ""},
                       {"likely", "likely", ""},
                       {"high", "most", ""},
                       {"measured", "jobs measured", ""},
                       {"gpus", "GPUs", ""}},
                      {}};
    Document answer;
    answer.command = "catalog precision";
    for (const PrecisionGain& one : gains.all) {
        table.rows.push_back({one.name,
                              formats_text(one.from),
                              formats_text(one.to),
                              one.gain.low,
                              one.gain.likely,
                              one.gain.high,
                              one.measured,
                              fmt::format("{}", fmt::join(one.gpus, ", "))});
        answer.sources.push_back(fmt::format("{}: {}", one.name, one.source));
    }
    answer.add(std::move(table));
    return answer;
}

Document storage_answer(const std::string& file) {
    const StorageTiers tiers = file.empty() ? builtin_storage_tiers() : read_storage_tiers(file);
    ReportTable table{"tiers",
                      "Storage tiers; the first is the default",
                      {{"name", "name", ""},
                       {"usd_per_gb_month", "per GB-month", "USD"},
                       {"usd_per_gb_retrieved", "per GB read", "USD"},
                       {"usd_per_1000_writes", "per 1000 writes", "USD"},
                       {"usd_per_1000_reads", "per 1000 reads", "USD"},
                       {"usd_per_gb_egress", "per GB egress", "USD"},
                       {"min_days", "min days", ""}},
                      {}};
    Document answer;
    answer.command = "catalog storage";
    for (const StorageTier& tier : tiers.all) {
        table.rows.push_back({tier.name,
                              tier.usd_per_gb_month,
                              tier.usd_per_gb_retrieved,
                              tier.usd_per_1000_writes,
                              tier.usd_per_1000_reads,
                              tier.usd_per_gb_egress,
                              tier.min_days});
        answer.sources.push_back(fmt::format("{}: {}", tier.name, tier.source));
    }
    answer.add(std::move(table));
    return answer;
}

Document profiles_answer(const std::string& file) {
    const Profiles profiles = file.empty() ? builtin_profiles() : read_profiles(file);
    ReportTable table{"profiles",
                      "Clusters that synthetic workloads are drawn like",
                      {{"name", "name", ""},
                       {"origin", "resembles", ""},
                       {"tenants", "tenants", ""},
                       {"max_gpus", "largest gang", ""},
                       {"size_exponent", "size exponent", ""},
                       {"log_sigma", "log sigma", ""},
                       {"max_run_s", "longest run", "s"}},
                      {}};
    Document answer;
    answer.command = "catalog profiles";
    for (const SyntheticProfile& profile : profiles.all) {
        table.rows.push_back({profile.name,
                              profile.origin,
                              static_cast<std::int64_t>(profile.tenants.size()),
                              std::ranges::max(profile.gangs, {}, &GangWeight::gpus).gpus,
                              profile.size_exponent,
                              profile.log_sigma,
                              profile.max_run_s});
        for (const Target& target : profile.targets)
            answer.sources.push_back(fmt::format("{}: {}", profile.name, target.source));
    }
    const auto repeated = std::ranges::unique(answer.sources);
    answer.sources.erase(repeated.begin(), repeated.end());
    answer.add(std::move(table));
    return answer;
}

/// A catalogue other than that of GPUs.
struct List {
    std::string_view name;
    const char* help;
    Document (*answer)(const std::string& file);
};

constexpr std::array lists{
    List{"models", "networks to train", models_answer},
    List{"stacks", "software-stack profiles", stacks_answer},
    List{"carbon", "electricity of cloud regions", carbon_answer},
    List{"links", "links of GPUs and networks between nodes", links_answer},
    List{"servers", "servers that GPUs stand in", servers_answer},
    List{"failures", "failure rates of jobs and nodes", failures_answer},
    List{"precision", "speedup by shorter number formats", precision_answer},
    List{"storage", "prices of storage", storage_answer},
    List{"profiles", "clusters to draw synthetic workloads like", profiles_answer},
};

struct ListOptions {
    std::string file;
};

} // namespace

std::vector<std::string_view> catalog_list_names() {
    std::vector<std::string_view> names;
    for (const List& list : lists)
        names.push_back(list.name);
    return names;
}

void add_catalog_lists(Command catalog) {
    using T = ListOptions;
    const OptionTable<T> file = option_table<T>(
        {{{"--file", &T::file, file_name()}, "catalogue in place of the built-in one"}});
    for (const List& list : lists)
        add_answer(catalog, std::string{list.name}, list.help, file, [&list](const T& options) {
            return list.answer(options.file);
        });
}

}} // namespace bursar::tools
