#pragma once

#include <memory>

#include "models/network/link_facts.hpp"

#include "scenarios/reader/table.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of one kind of server.
[[nodiscard]] Table<ServerFacts> server_keys();

/// The servers built into the program: scenarios/catalog/servers.yaml. Read once.
[[nodiscard]] std::shared_ptr<const ServerTable> builtin_servers();

}} // namespace bursar::scenarios
