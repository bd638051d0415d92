#pragma once

#include <optional>
#include <string>

#include "scenarios/reader/reader.hpp"
#include "scenarios/variants/variants.hpp"

namespace bursar { inline namespace scenarios {

/// The values of a path in `sweep`: a list whose entries are values of that key or ranges of
/// numbers with a step, or one such entry. The axis comes without its path.
struct SweptValuesRule {
    using value_type = Axis;
    [[nodiscard]] std::optional<Axis> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

inline SweptValuesRule swept_values() {
    return {};
}

/// As messages call a value of a sweep that turns out to be wrong: "FILE:12:5".
std::string origin_of(const Node& node);

}} // namespace bursar::scenarios
