#include "scenarios/document/flow_text.hpp"

#include <fmt/format.h>

namespace bursar { inline namespace scenarios {
namespace {

/// Whether text that was written without quotes is the same text between brackets.
bool is_plain(std::string_view text) {
    constexpr std::string_view marks = "[]{},#\"'\n\r\t";
    return text.find_first_of(marks) == std::string_view::npos && !text.ends_with(':') &&
           text.find(": ") == std::string_view::npos;
}

std::string scalar_text(const Node& node) {
    return node.quoted || !is_plain(node.text) ? yaml_quoted(node.text) : node.text;
}

} // namespace

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

}} // namespace bursar::scenarios
