#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// What a node was read from: a file, or the text of one `--set`.
struct Source {
    std::string name;      ///< as messages call it: a path, or "--set 2"
    std::string directory; ///< relative file names in it start here; empty: the current directory
    std::uint32_t order{}; ///< findings are listed by source in the order of reading
    bool has_lines{true};  ///< false: places in it are the source as a whole
    bool written{true};    ///< false: by nobody, a preset lies under what is written
};

enum class NodeKind : std::uint8_t { null, scalar, sequence, mapping };

struct Pair;

/// One value of a document with the place it was written at. A plain value: changing a document
/// (include, --set) makes a new tree.
struct Node {
    NodeKind kind{NodeKind::null};
    bool quoted{};    ///< scalar: written in quotes or as a block text
    std::string text; ///< scalar: its characters, unquoted and unescaped; never interpreted
    std::vector<Node> items;
    std::vector<Pair> pairs; ///< in the order of writing
    std::vector<Node> unset; ///< keys that a `--set KEY=` removed, with that as their source
    std::shared_ptr<const Source> source;
    std::uint64_t line{}; ///< counted from 1
    std::uint64_t column{};

    [[nodiscard]] Place place() const;
    /// The value of `key` (the first, where a key was written twice); null if there is none.
    [[nodiscard]] const Node* find(std::string_view key) const;
    [[nodiscard]] Node* find(std::string_view key);
};

/// A key of a mapping with its value.
struct Pair {
    Node key; ///< always a scalar
    Node value;
    bool repeated{}; ///< the mapping has the key already; kept so that its place can be told
};

/// The name by which paths address an element of a list: the text of its `pool` or `name`, where
/// that is a single word of letters, digits, '-' and '_'. Empty: it is addressed by its index.
std::string_view element_label(const Node& element);

/// A key as a step of a path in a message: as it is if it is a word, else quoted.
std::string path_step(std::string_view key);

/// What a node is, for a message: `"2.10"`, `a list`, `a mapping`, `nothing`.
std::string shown(const Node& node);

/// A double-quoted YAML scalar; what could end it or a line is escaped.
std::string yaml_quoted(std::string_view text);

/// A node as YAML in one line, which reads as the same node: "[fifo, {name: las, by: time}]".
std::string flow_text(const Node& node);

}} // namespace bursar::scenarios
