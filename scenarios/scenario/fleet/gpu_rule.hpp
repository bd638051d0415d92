#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {

/// A GPU of the catalogue the run uses; the value is the catalogue's own name. The schema only
/// lists the names: the run's catalogue may be another one than the schema was made with.
class GpuRule {
  public:
    using value_type = std::string;
    /// catalogue: outlives it.
    explicit GpuRule(const Catalogue& catalogue) : catalogue_{&catalogue} {}

    [[nodiscard]] std::optional<std::string> read(const Reader& at) const {
        const Node& node = at.node();
        if (node.kind == NodeKind::scalar && // as most write it: no list of names is made
            std::ranges::find(catalogue_->gpus, node.text, &Gpu::name) != catalogue_->gpus.end())
            return node.text;
        const auto name = text().read(at) ? one_of(catalogue_->names()).read(at) : std::nullopt;
        const Gpu* gpu = name ? catalogue_->find(*name) : nullptr;
        return gpu != nullptr ? std::optional{gpu->name} : name;
    }
    [[nodiscard]] Schema schema() const { return OpenNameRule{catalogue_->names()}.schema(); }

  private:
    const Catalogue* catalogue_;
};

}} // namespace bursar::scenarios
