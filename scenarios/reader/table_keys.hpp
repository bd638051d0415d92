#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scenarios/reader/reader.hpp"

namespace bursar { inline namespace scenarios {

enum class Presence : std::uint8_t { required, optional };

/// What a key table's row says beside its value rule.
struct KeyText {
    std::string name;
    std::string help; ///< one line: meaning and default
    Presence presence{Presence::optional};
};

enum class ChoiceOf : std::uint8_t { exactly_one, at_most_one };

/// Keys that exclude one another.
struct KeyChoice {
    std::vector<std::string> names;
    ChoiceOf count{ChoiceOf::exactly_one};
};

/// Reports unknown and repeated keys of a mapping, missing ones, and broken choices.
void check_keys(const Reader& at,
                std::span<const KeyText> keys,
                std::span<const KeyChoice> choices);

/// The same rules as a schema. schemas: one per key. What must be written stands in `required` and
/// `anyOf`, what may be in the other keywords.
Schema table_schema(std::span<const KeyText> keys,
                    std::vector<Schema> schemas,
                    std::span<const KeyChoice> choices);

}} // namespace bursar::scenarios
