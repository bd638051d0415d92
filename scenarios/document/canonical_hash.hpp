#pragma once

#include <cstdint>
#include <string_view>

#include "scenarios/document/node.hpp"

namespace bursar { inline namespace scenarios {

/// XXH3 (64 bits) over the content of a document: kinds, texts and the order of lists. The order of
/// keys in mappings, quotes, comments, places and file names do not matter. Values are compared as
/// written: "60 s" and "1 min" differ.
std::uint64_t canonical_hash(const Node& root);

/// The same for a mapping, leaving out the key of that name.
std::uint64_t canonical_hash_without(std::string_view key, const Node& root);

/// XXH3 of a text.
std::uint64_t text_hash(std::string_view text);

/// Combines two hashes.
std::uint64_t combined_hash(std::uint64_t hash, std::uint64_t other);

}} // namespace bursar::scenarios
