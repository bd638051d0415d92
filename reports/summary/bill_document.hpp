#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/outputs/options.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What a sentence is about, and the sentence.
using NamedSentence = std::pair<std::string, std::string>;

/// What a bill says first: ratios, jobs, waits, deadlines, lost work, budgets, warnings.
[[nodiscard]] std::vector<NamedSentence> headlines(const Result& result,
                                                   const OutputOptions& options);

/// On what the figures rest, and what they leave out.
[[nodiscard]] std::vector<NamedSentence> grounds(const Result& result);

/// The bill as a document. In full with what pools, purchases, months, tenants and the costliest
/// jobs cost at which rate, waits by tenant, the metrics, and the same GPU-hours as other tools
/// count them; in brief (options.brief) for a comment or a message.
[[nodiscard]] Document bill_document(const Result& result, const OutputOptions& options);

}} // namespace bursar::reports
