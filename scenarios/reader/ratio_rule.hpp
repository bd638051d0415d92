#pragma once

#include <optional>
#include <string_view>

#include "scenarios/reader/reader.hpp"

namespace bursar { inline namespace scenarios {

/// "2:1": two positive decimal numbers; what stands before the colon over what stands behind it.
struct RatioRule {
    using value_type = double;
    [[nodiscard]] std::optional<double> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// Whether a value is meant as a ratio, and not as a quantity.
inline bool looks_like_ratio(const Node& node) {
    return node.kind == NodeKind::scalar && node.text.find(':') != std::string_view::npos;
}

inline RatioRule ratio() {
    return {};
}

}} // namespace bursar::scenarios
