#include "scenarios/document/node.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

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

/// Whether an unquoted text may stand unquoted between brackets, too.
bool is_plain(std::string_view text) {
    constexpr std::string_view marks = "[]{},#\"'\n\r\t";
    return text.find_first_of(marks) == std::string_view::npos && !text.ends_with(':') &&
           text.find(": ") == std::string_view::npos;
}

std::string scalar_text(const Node& node) {
    return node.quoted || !is_plain(node.text) ? yaml_quoted(node.text) : node.text;
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

std::string yaml_quoted(std::string_view text) {
    std::string out{'"'};
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (byte < 0x20 || byte == 0x7f)
            out += fmt::format("\\x{:02x}", byte);
        else
            out += c;
    }
    return out += '"';
}

std::string flow_text(const Node& node) {
    std::string out;
    switch (node.kind) {
    case NodeKind::null:
        return "~";
    case NodeKind::scalar:
        return scalar_text(node);
    case NodeKind::sequence:
        for (const Node& item : node.items)
            out += (out.empty() ? "" : ", ") + flow_text(item);
        return "[" + out + "]";
    case NodeKind::mapping:
        break;
    }
    for (const Pair& pair : node.pairs)
        out += fmt::format(
            "{}{}: {}", out.empty() ? "" : ", ", scalar_text(pair.key), flow_text(pair.value));
    return "{" + out + "}";
}

namespace {

/// The lines of a list or mapping, each with `margin` before it.
void write_block(const Node& node, const std::string& margin, std::string& out) {
    constexpr std::size_t max_line = 100;
    const auto write = [&](const std::string& begin, const Node& value) {
        const std::string flow = flow_text(value);
        const bool is_long = margin.size() + begin.size() + flow.size() >= max_line;
        if (!is_long || (value.items.empty() && value.pairs.empty())) {
            out += fmt::format("{}{} {}\n", margin, begin, flow);
            return;
        }
        const bool is_element = begin == "-"; // "- " is the margin of its first line
        if (!is_element)
            out += fmt::format("{}{}\n", margin, begin);
        const std::size_t at = out.size() + margin.size();
        write_block(value, margin + "  ", out);
        if (is_element)
            out[at] = '-';
    };
    for (const Node& item : node.items)
        write("-", item);
    for (const Pair& pair : node.pairs)
        write(scalar_text(pair.key) + ":", pair.value);
}

} // namespace

std::string block_text(const Node& mapping) {
    std::string out;
    write_block(mapping, {}, out);
    return out;
}

}} // namespace bursar::scenarios
