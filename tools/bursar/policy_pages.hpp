#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "policies/choice/presets.hpp"
#include "policies/describe/policy_list.hpp"

#include "reports/document/document.hpp"
#include "reports/text/text_sink.hpp"

/// Output of `bursar policies`.
namespace bursar { inline namespace tools {

/// All policies and presets.
struct PolicyBook {
    std::vector<PolicyInfo> policies; ///< slot by slot
    std::span<const PresetInfo> presets;

    [[nodiscard]] std::vector<std::string> policy_slots() const;
    /// "default", "default of las, srtf", or nothing.
    [[nodiscard]] std::string default_of(const PolicyInfo& policy) const;
};

/// One line per policy and preset, cut to `width` columns.
void put_policy_list(const PolicyBook& book, std::size_t width, TextSink& sink);

/// The policies and presets of the book, one per row; for CSV.
[[nodiscard]] Document policy_table(const PolicyBook& book);

/// Everything about one policy.
void put_policy_page(const PolicyBook& book,
                     const PolicyInfo& policy,
                     std::size_t width,
                     TextSink& sink);

void put_preset_page(const PresetInfo& preset, std::size_t width, TextSink& sink);

/// Which queue orders run with each backfill and preemption, as a table with notes, at most `width`
/// columns wide.
void put_combinations(std::size_t width, TextSink& sink);

}} // namespace bursar::tools
