#include "scenarios/document/canonical_hash.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <xxhash.h>

namespace bursar { inline namespace scenarios {
namespace {

void write_count(std::string& out, std::size_t count) {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), count).ptr;
    out.append(digits.data(), end);
    out += ':';
}

/// Writes lengths before texts and counts before elements, so that different trees give different
/// bytes.
void write_text(std::string& out, std::string_view text) {
    write_count(out, text.size());
    out += text;
}

/// without: a key of the mapping to skip; empty: none.
void write(std::string& out, const Node& node, std::string_view without = {}) {
    switch (node.kind) {
    case NodeKind::null:
        out += 'n';
        return;
    case NodeKind::scalar:
        out += 's';
        write_text(out, node.text);
        return;
    case NodeKind::sequence:
        out += 'l';
        write_count(out, node.items.size());
        for (const Node& item : node.items)
            write(out, item);
        return;
    case NodeKind::mapping: {
        std::vector<const Pair*> pairs;
        for (const Pair& pair : node.pairs)
            if (without.empty() || pair.key.text != without)
                pairs.push_back(&pair);
        std::ranges::stable_sort(
            pairs, {}, [](const Pair* pair) -> std::string_view { return pair->key.text; });
        out += 'm';
        write_count(out, pairs.size());
        for (const Pair* pair : pairs) {
            write_text(out, pair->key.text);
            write(out, pair->value);
        }
    }
    }
}

} // namespace

std::uint64_t canonical_hash(const Node& root) {
    return canonical_hash_without({}, root);
}

std::uint64_t canonical_hash_without(std::string_view key, const Node& root) {
    std::string bytes;
    bytes.reserve(4096);
    write(bytes, root, key);
    return text_hash(bytes);
}

std::uint64_t text_hash(std::string_view text) {
    return XXH3_64bits(text.data(), text.size());
}

std::uint64_t combined_hash(std::uint64_t hash, std::uint64_t other) {
    return text_hash(fmt::format("{:016x}{:016x}", hash, other));
}

}} // namespace bursar::scenarios
