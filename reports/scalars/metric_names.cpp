#include "reports/scalars/metric_names.hpp"

namespace bursar { inline namespace reports {

std::string metric_name(const ScalarRow& metric) {
    constexpr std::string_view block = "metrics.";
    std::string out = metric.name;
    if (out.starts_with(block))
        out.erase(0, block.size());
    if (const std::size_t at = out.find("_s."); at != std::string::npos)
        out.erase(at, 2);
    if (out.ends_with("_s"))
        out.resize(out.size() - 2);
    return out;
}

std::vector<std::string> metric_names() {
    std::vector<std::string> names;
    for (const ScalarRow& row : scalar_table())
        names.push_back(metric_name(row));
    return names;
}

const ScalarRow* find_metric(std::string_view name) {
    if (const ScalarRow* row = find_scalar(name))
        return row;
    for (const ScalarRow& row : scalar_table())
        if (metric_name(row) == name)
            return &row;
    return nullptr;
}

}} // namespace bursar::reports
