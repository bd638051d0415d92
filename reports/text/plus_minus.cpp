#include "reports/text/plus_minus.hpp"

#include <fmt/format.h>

namespace bursar { inline namespace reports {

std::string plus_minus(std::optional<double> share) {
    if (!share)
        return "+- unknown";
    const double percent = 100 * *share;
    return percent < 9.95 ? fmt::format("+- {:.1f} %", percent)
                          : fmt::format("+- {:.0f} %", percent);
}

}} // namespace bursar::reports
