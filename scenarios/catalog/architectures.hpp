#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/training/generic_network.hpp"
#include "models/training/transformer.hpp"

namespace bursar {

using Architecture = std::variant<Transformer, GenericNetwork>;

/// The models a scenario or a command may name: gpt-175b, llama-3-8b, resnet-50.
struct Architectures {
    std::vector<Architecture> all; ///< in the order of the file

    /// The architecture of that name; null if there is none. Stays valid while this does.
    [[nodiscard]] const Architecture* find(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> names() const;
};

/// Built into the program: scenarios/catalog/architectures.yaml.
const Architectures& builtin_architectures();

/// A file of the user's own; same layout. Throws ScenarioError with every mistake in it.
Architectures read_architectures(const std::string& path);

} // namespace bursar
