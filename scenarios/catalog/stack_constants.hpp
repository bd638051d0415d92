#pragma once

#include <span>
#include <string_view>

#include "models/training/stack_profile.hpp"

namespace bursar {

/// A constant of a profile by name, with the bounds that physics sets.
struct StackConstant {
    std::string_view name;
    std::string_view meaning;
    double least{};
    double most{};
    double (*get)(const StackProfile&){};
    void (*set)(StackProfile&, double){};
};

std::span<const StackConstant> stack_constants();

} // namespace bursar
