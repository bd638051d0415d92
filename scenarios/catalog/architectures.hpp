#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/training/job/generic_network.hpp"
#include "models/training/job/transformer.hpp"

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

using Architecture = std::variant<Transformer, GenericNetwork>;

/// Where the shape of an architecture was published and when it was read (YYYY-MM-DD).
struct ArchitectureOrigin {
    std::string source;
    std::string date;
};

/// The models a scenario or a command may name: gpt-175b, llama-3-8b, resnet-50.
struct Architectures {
    std::vector<Architecture> all;           ///< in the order of the file, transformers first
    std::vector<ArchitectureOrigin> origins; ///< of each

    /// The architecture of that name; null if there is none. Stays valid while this does.
    [[nodiscard]] const Architecture* find(std::string_view name) const;
    /// The source of one of `all`.
    [[nodiscard]] const ArchitectureOrigin& origin(const Architecture& architecture) const;
    [[nodiscard]] std::vector<std::string> names() const;
};

[[nodiscard]] const std::string& name(const Architecture& architecture);

/// Built into the program: scenarios/catalog/architectures.yaml.
const Architectures& builtin_architectures();

/// A file of the user's own; same layout. Throws ScenarioError with every mistake in it.
Architectures read_architectures(const std::string& path);

/// The same for a text; messages name `file`.
Architectures read_architectures_text(std::string_view text, const std::string& file);

}} // namespace bursar::scenarios
