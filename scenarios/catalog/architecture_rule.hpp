#pragma once

#include <optional>

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/reader/reader.hpp"

namespace bursar { inline namespace scenarios {

/// What is trained: a network of the catalogue by its name, the only one of a file, or one of the
/// user's own as a mapping with the keys of architectures.yaml. A mapping with flops_per_sample is
/// a generic network, any other a transformer.
struct ArchitectureRule {
    using value_type = Architecture;

    const Architectures* known{}; ///< outlives the rule

    [[nodiscard]] std::optional<Architecture> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

}} // namespace bursar::scenarios
