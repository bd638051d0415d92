#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "policies/policy_choice.hpp"

namespace bursar {

/// Why two slots of a choice cannot stand beside each other.
struct SlotConflict {
    std::string_view slot; ///< the one that a message should point at
    std::string problem;
    std::string why;
    std::string suggestion;
};

/// The one place that says which policies go together. Names that are in no list conflict with
/// nothing.
std::optional<SlotConflict> slot_conflict(const PolicyChoice& choice);

} // namespace bursar
