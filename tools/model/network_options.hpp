#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/catalog/architectures.hpp"

#include "tools/command_line/option_table.hpp"

namespace bursar { inline namespace tools {

/// The network that is trained: --model of the catalogue, or the shape of a custom transformer.
struct NetworkOptions {
    /// Throws ScenarioError for an unknown name or a bad file, ModelError for an impossible shape.
    /// A transformer gets the sequence length of --seq, if given.
    [[nodiscard]] Architecture architecture() const;

    /// The same; throws ModelError for a network that is not a transformer.
    [[nodiscard]] Transformer transformer() const;

    /// Where the shape was published; "the command line" for a custom one.
    [[nodiscard]] std::string source() const;

    std::string model;
    std::string file; ///< --architectures; empty: built in
    std::optional<std::int64_t> sequence;
    std::optional<std::int64_t> layers;
    std::optional<std::int64_t> hidden;
    std::optional<std::int64_t> ffn;
    std::optional<std::int64_t> heads;
    std::optional<std::int64_t> kv_heads;
    std::optional<std::int64_t> vocab;
    std::optional<std::int64_t> experts;
    std::optional<std::int64_t> experts_per_token;
    bool gated{};
};

[[nodiscard]] OptionTable<NetworkOptions> network_options();

/// The catalogue of networks in `file`; the built-in one if `file` is empty.
[[nodiscard]] Architectures architectures_of(const std::string& file);

/// Throws ScenarioError for an unknown name, which `option` gave.
[[nodiscard]] const Architecture& network_named(const Architectures& architectures,
                                                const std::string& name,
                                                const std::string& option);

}} // namespace bursar::tools
