#include "scenarios/document/node.hpp"

#include <algorithm>
#include <utility>

#include "scenarios/errors/in_quotes.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t max_word_bytes = 60; ///< longer texts do not belong in a path

bool is_word(std::string_view text) {
    return !text.empty() && text.size() <= max_word_bytes && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_';
    });
}

} // namespace

Place Node::place() const {
    if (!source)
        return {};
    if (!source->has_lines)
        return {source->name};
    return {source->name, line, column};
}

const Node* Node::find(std::string_view key) const {
    const auto found =
        std::ranges::find(pairs, key, [](const Pair& p) -> std::string_view { return p.key.text; });
    return found == pairs.end() ? nullptr : &found->value;
}

Node* Node::find(std::string_view key) {
    return const_cast<Node*>(std::as_const(*this).find(key)); // NOLINT: the object is not const
}

std::string_view element_label(const Node& element) {
    for (const std::string_view key : {"pool", "name"}) {
        const Node* label = element.find(key);
        if (label != nullptr && label->kind == NodeKind::scalar && is_word(label->text))
            return label->text;
    }
    return {};
}

std::string path_step(std::string_view key) {
    return is_word(key) ? std::string{key} : in_quotes(key);
}

std::string shown(const Node& node) {
    switch (node.kind) {
    case NodeKind::null:
        return "nothing";
    case NodeKind::scalar:
        return in_quotes(node.text);
    case NodeKind::sequence:
        return "a list";
    case NodeKind::mapping:
        return "a mapping";
    }
    return {};
}

}} // namespace bursar::scenarios
