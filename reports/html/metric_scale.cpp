#include "reports/html/metric_scale.hpp"

#include <array>

namespace bursar { inline namespace reports {

MetricScale metric_scale(ScalarKind kind, double most) {
    if (kind == ScalarKind::ratio)
        return {0.01, "%"};
    if (kind != ScalarKind::seconds)
        return {1, std::string{unit_of(kind)}};
    struct Unit {
        double seconds, until;
        const char* name;
    };
    constexpr std::array units{Unit{1, 120, "s"}, Unit{60, 7200, "min"}, Unit{3600, 172'800, "h"}};
    for (const Unit& unit : units)
        if (most < unit.until)
            return {unit.seconds, unit.name};
    return {86'400, "d"};
}

}} // namespace bursar::reports
