#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/gpu/gpu.hpp"
#include "models/network/link_facts.hpp"

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// The GPU models a scenario may name.
struct Catalogue {
    std::vector<Gpu> gpus;                      ///< in the order of the file
    std::shared_ptr<const LinkTable> links;     ///< of all of them
    std::shared_ptr<const ServerTable> servers; ///< that they stand in

    /// The GPU of that name or alias, else of an equivalent spelling of one
    /// (same_gpu_name); null if there is none. Stays valid while the catalogue does.
    [[nodiscard]] const Gpu* find(std::string_view name_or_alias) const;

    /// Names in the order of the file, each followed by its aliases.
    [[nodiscard]] std::vector<std::string> names() const;
};

/// The catalogue built into the program: scenarios/catalog/gpus.yaml, links.yaml and servers.yaml.
const Catalogue& builtin_catalogue();

/// A catalogue file of the user's, replacing the built-in one; same layout. Without its own links
/// or servers it has the built-in ones. Throws ScenarioError with every mistake in it.
Catalogue read_catalogue(const std::string& path);

/// The same for a text; messages name `file`.
Catalogue read_catalogue_text(std::string_view text, const std::string& file);

}} // namespace bursar::scenarios
