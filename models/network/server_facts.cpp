#include "models/network/server_facts.hpp"

#include <algorithm>

namespace bursar { inline namespace models {

const ServerFacts& usual_server(const Gpu& gpu) {
    if (gpu.servers == nullptr)
        throw UnknownFact{gpu, "its kind of server"};
    const std::vector<ServerFacts>& servers = gpu.servers->all;
    auto found = std::ranges::find_if(servers, [&](const ServerFacts& server) {
        return std::ranges::any_of(
            server.gpus, [&](const std::string& start) { return gpu.name.starts_with(start); });
    });
    if (found == servers.end())
        found = std::ranges::find(servers, true, &ServerFacts::for_unknown);
    if (found == servers.end())
        throw UnknownFact{gpu, "its kind of server"};
    return *found;
}

}} // namespace bursar::models
