#pragma once

#include <memory>

#include "models/network/link_facts.hpp"

#include "scenarios/reader/table.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of one link.
[[nodiscard]] Table<LinkFacts> link_keys();

/// The links built into the program: scenarios/catalog/links.yaml. Read once.
[[nodiscard]] std::shared_ptr<const LinkTable> builtin_links();

/// The keys of one kind of server.
[[nodiscard]] Table<ServerFacts> server_keys();

/// The servers built into the program: scenarios/catalog/servers.yaml. Read once.
[[nodiscard]] std::shared_ptr<const ServerTable> builtin_servers();

}} // namespace bursar::scenarios
