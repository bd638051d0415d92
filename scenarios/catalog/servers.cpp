#include "scenarios/catalog/servers.hpp"

#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/catalog/rate_rule.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {

Table<ServerFacts> server_keys() {
    using S = ServerFacts;
    return table<S>(
               {
                   required("name", &S::name, text(), "unique"),
                   optional("gpus",
                            &S::gpus,
                            list_of(text(), 0),
                            "starts of the names of GPUs that stand in it"),
                   optional("for_unknown",
                            &S::for_unknown,
                            yes_or_no(),
                            "taken for GPUs that no server names (no)"),
                   required("host_copy",
                            &S::host_gb_s,
                            gigabytes_per_second(),
                            "GPU to host memory, one direction, as copies reach it"),
                   optional(
                       "nic", &S::nic_gb_s, gigabytes_per_second(), "of each GPU, one direction"),
                   optional("shared_nics",
                            &S::shared_gb_s,
                            gigabytes_per_second(),
                            "of a node, all together, one direction"),
                   required("source", &S::source, text(), "of each fact"),
               })
        .exactly_one_of({"nic", "shared_nics"});
}

std::shared_ptr<const ServerTable> builtin_servers() {
    static const auto servers = std::make_shared<const ServerTable>(ServerTable{
        read_named_text(builtin_servers_yaml, "servers.yaml", "servers", server_keys())});
    return servers;
}

}} // namespace bursar::scenarios
