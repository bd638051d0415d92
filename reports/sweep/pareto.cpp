#include "reports/sweep/pareto.hpp"

#include <algorithm>
#include <tuple>

namespace bursar { inline namespace reports {

std::vector<std::size_t> pareto_front(std::span<const TwoFigures> points) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points[i].first && points[i].second)
            order.push_back(i);
    std::ranges::sort(order, {}, [&](std::size_t i) {
        return std::tuple{*points[i].first, *points[i].second, i};
    });
    std::vector<std::size_t> front;
    for (const std::size_t i : order)
        if (front.empty() || *points[i].second < *points[front.back()].second)
            front.push_back(i);
    return front;
}

}} // namespace bursar::reports
