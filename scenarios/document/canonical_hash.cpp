#include "scenarios/document/canonical_hash.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <xxhash.h>

namespace bursar::inline scenarios {
namespace {

/// Lengths stand before texts and counts before elements, so that no two trees write the same
/// bytes.
void write_text(std::string& out, std::string_view text) {
    out += fmt::format("{}:", text.size());
    out += text;
}

void write(std::string& out, const Node& node) {
    switch (node.kind) {
    case NodeKind::null:
        out += 'n';
        return;
    case NodeKind::scalar:
        out += 's';
        write_text(out, node.text);
        return;
    case NodeKind::sequence:
        out += fmt::format("l{}:", node.items.size());
        for (const Node& item : node.items)
            write(out, item);
        return;
    case NodeKind::mapping: {
        std::vector<const Pair*> pairs;
        for (const Pair& pair : node.pairs)
            pairs.push_back(&pair);
        std::ranges::stable_sort(
            pairs, {}, [](const Pair* pair) -> std::string_view { return pair->key.text; });
        out += fmt::format("m{}:", pairs.size());
        for (const Pair* pair : pairs) {
            write_text(out, pair->key.text);
            write(out, pair->value);
        }
    }
    }
}

} // namespace

std::uint64_t canonical_hash(const Node& root) {
    std::string bytes;
    write(bytes, root);
    return text_hash(bytes);
}

std::uint64_t canonical_hash_without(std::string_view key, const Node& root) {
    Node rest = root;
    std::erase_if(rest.pairs, [&](const Pair& pair) { return pair.key.text == key; });
    return canonical_hash(rest);
}

std::uint64_t text_hash(std::string_view text) {
    return XXH3_64bits(text.data(), text.size());
}

std::uint64_t combined_hash(std::uint64_t hash, std::uint64_t other) {
    return text_hash(fmt::format("{:016x}{:016x}", hash, other));
}

} // namespace bursar::inline scenarios
