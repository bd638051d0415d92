#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/document/override.hpp"
#include "scenarios/scenario/known_names.hpp"
#include "scenarios/scenario/scenario.hpp"

#include "tools/bursar/options.hpp"

namespace bursar {

/// The options that say which scenario is meant; shared by every command that reads one.
struct ScenarioOptions {
    std::string file;
    std::vector<std::string> sets;
    std::string catalogue_file; ///< empty: the built-in one
    std::optional<std::int64_t> seed;

    /// Adds SCENARIO (unless the command brings its own), --set, --seed and --catalog.
    void add_to(Command command, bool with_file = true);

    /// Throws ScenarioError with every mistake.
    [[nodiscard]] Catalogue catalogue() const;
    /// more: laid over the scenario behind --set.
    [[nodiscard]] Scenario read(const Catalogue& catalogue,
                                const std::vector<Override>& more = {}) const;
};

/// Every name that a scenario may choose from, out of the registries.
KnownNames known_names();

/// Warnings go to stderr, a line each.
void print_warnings(const Scenario& scenario);

} // namespace bursar
