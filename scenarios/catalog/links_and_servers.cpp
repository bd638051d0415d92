#include "scenarios/catalog/links_and_servers.hpp"

#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// A bandwidth above zero, as the GB/s that catalogues hold.
[[nodiscard]] inline QuantityRule<double> gigabytes_per_second() {
    return {
        byte_rates, Zero::refused, [](Measure m) { return static_cast<double>(m.count) / 1e9; }};
}

using L = LinkFacts;

constexpr std::array<std::string_view, 3> wiring_names{"switched", "full-mesh", "cube-mesh"};

NumberRule microseconds() {
    return {0, Bound::included, 1e6};
}

NumberRule share_of_rate() {
    return {0, Bound::excluded, 1};
}

Table<L> low_latency_keys() {
    return table<L>({
        {required("startup_us", &L::low_latency_startup_us, microseconds()), "once per collective"},
        {required("hop_us", &L::low_latency_hop_us, microseconds()), "per hop"},
        {required("efficiency", &L::low_latency_efficiency, share_of_rate()), "of the rate"},
    });
}

Table<L> reduction_keys() {
    return table<L>({
        {required("startup_us", &L::reduction_startup_us, microseconds()), "of one all-reduce"},
        {required("efficiency", &L::reduction_efficiency, share_of_rate()), "of the rate"},
        {required("ranks", &L::reduction_ranks, whole_number(2, 1'000'000)),
         "smallest group it is used for"},
    });
}

} // namespace

Table<LinkFacts> link_keys() {
    return table<L>({
        {required("name", &L::name, text()), "generation, unique"},
        {optional("gpus", &L::gpus, list_of(text(), 0)),
         "starts of the names of GPUs that have it"},
        {required("kind", &L::kind, choice_of<LinkKind>(link_kind_names)), "what it joins"},
        {optional("for_unknown", &L::for_unknown, yes_or_no()),
         "taken for GPUs that no link names, by its rate (no)"},
        {required("rate", &L::gb_s, gigabytes_per_second()), "of one GPU, one direction"},
        {required("startup_us", &L::startup_us, microseconds()), "once per collective"},
        {required("hop_us", &L::hop_us, microseconds()), "per hop"},
        {required("efficiency", &L::efficiency, share_of_rate()), "of the rate, by large rings"},
        {optional("pair_loss", &L::pair_loss, NumberRule{0, Bound::included, 0.99}),
         "share of that lost by a group of two (0)"},
        {section("low_latency", Presence::optional, low_latency_keys()),
         "its protocol for small messages (none)"},
        {section("reduction", Presence::optional, reduction_keys()),
         "all-reduce in the switch (none)"},
        {optional("wiring", &L::wiring, choice_of<Wiring>(wiring_names)),
         "how the GPUs of one domain are wired (switched)"},
        {required("source", &L::source, text()), "of the constants, with the date of the fit"},
    });
}

std::shared_ptr<const LinkTable> builtin_links() {
    static const auto links = std::make_shared<const LinkTable>(CatalogueFile{
        table<LinkTable>({{required("links", &LinkTable::all, list_of(link_keys())), "the links"}}),
        [](const Reader& root) {
            UniqueNames{}.claim_names(root, "links");
        }}.read_text(builtin_links_yaml, "links.yaml"));
    return links;
}

Table<ServerFacts> server_keys() {
    using S = ServerFacts;
    return table<S>({
                        {required("name", &S::name, text()), "unique"},
                        {optional("gpus", &S::gpus, list_of(text(), 0)),
                         "starts of the names of GPUs that stand in it"},
                        {optional("for_unknown", &S::for_unknown, yes_or_no()),
                         "taken for GPUs that no server names (no)"},
                        {required("host_copy", &S::host_gb_s, gigabytes_per_second()),
                         "GPU to host memory, one direction, as copies reach it"},
                        {optional("nic", &S::nic_gb_s, gigabytes_per_second()),
                         "of each GPU, one direction"},
                        {optional("shared_nics", &S::shared_gb_s, gigabytes_per_second()),
                         "of a node, all together, one direction"},
                        {optional("gpus_per_node", &S::gpus_per_node, whole_number(1, 1'000)),
                         "GPUs of a node (8)"},
                        {optional("software_year", &S::software_year, whole_number(2015, 2100)),
                         "of the software stacks that train on it, where a job names none (2023)"},
                        {required("source", &S::source, text()), "of each fact"},
                    })
        .exactly_one_of({"nic", "shared_nics"});
}

std::shared_ptr<const ServerTable> builtin_servers() {
    static const auto servers = std::make_shared<const ServerTable>(ServerTable{
        read_named_text(builtin_servers_yaml, "servers.yaml", "servers", server_keys())});
    return servers;
}

}} // namespace bursar::scenarios
