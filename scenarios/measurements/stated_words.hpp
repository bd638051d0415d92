#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// How the words of a column are read: none is passed over.
namespace bursar { inline namespace scenarios {

/// Whether any of `words` stands anywhere in `text`.
bool has_any(std::string_view text, std::initializer_list<std::string_view> words);

/// Runs of letters and runs of digits, in lower case: "zero3+cpu-offload" is zero, 3, cpu, offload.
std::vector<std::string> runs_of(std::string_view text);

/// Whether a run is of digits.
bool is_number(std::string_view run);

/// What published tables print where they say nothing: "", "unpublished", "unknown".
bool is_unpublished(std::string_view words);

/// Spellings that a mistake suggests.
using Spellings = std::initializer_list<const char*>;

/// Throws ModelError for a text with a word that is not `known`. Numbers may stand anywhere.
void check_words(const char* column,
                 std::string_view text,
                 std::span<const std::string_view> known,
                 Spellings usual);

/// Throws ModelError: known words that make no setting.
[[noreturn]] void fail_setting(const char* column, std::string_view text, Spellings usual);

}} // namespace bursar::scenarios
