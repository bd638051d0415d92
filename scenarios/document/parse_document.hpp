#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "scenarios/document/node.hpp"

namespace bursar { inline namespace scenarios {

/// Limits of a document: far above any scenario; they bound time and memory.
inline constexpr std::size_t max_document_bytes = 16 << 20;
inline constexpr std::size_t max_document_nodes = 200'000; ///< after aliases are followed
inline constexpr std::size_t max_text_bytes = 64 << 10;    ///< of one value

/// The one YAML document in `text`, as a tree. Anchors and aliases are followed; an empty text is a
/// null node. Repeated keys are kept and marked.
///
/// Throws ScenarioError (one finding with its place) for text that is not one YAML document:
/// bad syntax, control characters, bytes that are not UTF-8, a second document, tags, merge keys
/// (<<), keys that are not plain text, nesting deeper than the parser's limit (500), or more than
/// the limits above.
Node parse_document(std::string_view text, const std::shared_ptr<const Source>& source);

}} // namespace bursar::scenarios
