#pragma once

#include <string>
#include <vector>

#include "reports/html/figure.hpp"
#include "reports/options.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Where the dollars went: from paid to productive step by step, and to every leaf. The figures
/// are those of the bill (bill_table), to the cent.
[[nodiscard]] std::vector<Figure> money_figures(const Result& result);

/// What each tenant, pool and way of purchase cost; those of which there are not two are left out.
/// options: `share_idle`, and `top` rows, 12 where it is not given.
[[nodiscard]] std::vector<Figure> cost_figures(const Result& result, const OutputOptions& options);

/// The bill as a table: groups with their leaves, what is paid, other costs and the total.
[[nodiscard]] HtmlTable bill_html_table(const Result& result);

/// The class of a leaf group's colour, by the title that bills give it; "other" of anything else.
[[nodiscard]] std::string colour_of_group(const std::string& title);

}} // namespace bursar::reports
