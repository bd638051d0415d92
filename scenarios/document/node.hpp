#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// The source of a node: a file, or the text of one `--set`.
struct Source {
    std::string name;      ///< its name in messages: a path, or "--set 2"
    std::string directory; ///< folder of relative file names in it; empty: the current directory
    std::uint32_t order{}; ///< findings are listed in this order of sources
    bool has_lines{true};  ///< false: places name the source only
    bool written{true};    ///< false: it comes from a preset
};

enum class NodeKind : std::uint8_t { null, scalar, sequence, mapping };

struct Pair;

/// One value of a document with the place it was written at. A plain value: changing a document
/// (include, --set) makes a new tree.
struct Node {
    NodeKind kind{NodeKind::null};
    bool quoted{};    ///< scalar: written in quotes or as a block text
    std::string text; ///< scalar: its characters, unquoted and unescaped
    std::vector<Node> items;
    std::vector<Pair> pairs; ///< in the order of writing
    std::vector<Node> unset; ///< keys that a `--set KEY=` removed; its source is theirs
    std::shared_ptr<const Source> source;
    std::uint64_t line{}; ///< counts from 1
    std::uint64_t column{};

    [[nodiscard]] Place place() const;
    /// The value of `key` (the first one of a repeated key); null if there is none.
    [[nodiscard]] const Node* find(std::string_view key) const;
    [[nodiscard]] Node* find(std::string_view key);
};

/// A key of a mapping with its value.
struct Pair {
    Node key; ///< always a scalar
    Node value;
    bool repeated{}; ///< the mapping has an earlier pair with this key; kept for the message
};

/// The name of an element of a list in paths: the text of its `pool` or `name`, if
/// that is a single word of letters, digits, '-' and '_'. Empty: the index is its name.
std::string_view element_label(const Node& element);

/// A key as a step of a path in a message: a word as it is, other text quoted.
std::string path_step(std::string_view key);

/// A node in a message: `"2.10"`, `a list`, `a mapping`, `nothing`.
std::string shown(const Node& node);

/// A double-quoted YAML scalar; quotes and line ends are escaped.
std::string yaml_quoted(std::string_view text);

/// A node as YAML in one line, which parses to an equal node: "[fifo, {name: las, by: time}]".
std::string flow_text(const Node& node);

/// A mapping as YAML, which parses to an equal node: a line for each key, or lines below it where
/// one would be long.
std::string block_text(const Node& mapping);

}} // namespace bursar::scenarios
