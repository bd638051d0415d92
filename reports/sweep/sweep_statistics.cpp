#include "reports/sweep/sweep_statistics.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace bursar { inline namespace reports {
namespace {

double square(double x) {
    return x * x;
}

/// Share of the whole variance; below the rounding of sums it is 0.
double share_of(double part, double whole) {
    const double share = std::min(part / whole, 1.0);
    return share < 1e-12 ? 0 : share;
}

/// The effect of an axis whose values change every `stride` points.
class AxisEffect {
  public:
    AxisEffect(std::size_t size, std::size_t stride) : size_{size}, stride_{stride} {}

    /// Variance of the means over all points with one value of the axis.
    [[nodiscard]] double of_means(std::span<const double> y, double mean) const {
        std::vector<double> sums(size_);
        for (std::size_t i = 0; i < y.size(); ++i)
            sums[i / stride_ % size_] += y[i];
        const auto points = static_cast<double>(y.size() / size_);
        double variance = 0;
        for (const double sum : sums)
            variance += square(sum / points - mean);
        return variance / static_cast<double>(size_);
    }

    /// Mean of the variances along the axis where the other axes stand still.
    [[nodiscard]] double along(std::span<const double> y) const {
        double sum = 0;
        for (std::size_t i = 0; i < y.size(); ++i)
            if (i / stride_ % size_ == 0)
                sum += line_variance(y, i);
        return sum / static_cast<double>(y.size() / size_);
    }

  private:
    [[nodiscard]] double line_variance(std::span<const double> y, std::size_t begin) const {
        const auto n = static_cast<double>(size_);
        double mean = 0;
        for (std::size_t k = 0; k < size_; ++k)
            mean += y[begin + k * stride_] / n;
        double variance = 0;
        for (std::size_t k = 0; k < size_; ++k)
            variance += square(y[begin + k * stride_] - mean) / n;
        return variance;
    }

    std::size_t size_;
    std::size_t stride_;
};

} // namespace

std::optional<std::vector<Sensitivity>>
sensitivities(std::span<const std::size_t> sizes, std::span<const std::optional<double>> values) {
    std::vector<double> y;
    for (const std::optional<double>& value : values) {
        if (!value)
            return std::nullopt;
        y.push_back(*value);
    }
    if (y.empty() || std::ranges::adjacent_find(y, std::ranges::not_equal_to{}) == y.end())
        return std::nullopt;
    double mean = 0;
    for (const double one : y)
        mean += one / static_cast<double>(y.size());
    double variance = 0;
    for (const double one : y)
        variance += square(one - mean) / static_cast<double>(y.size());
    std::vector<Sensitivity> out;
    std::size_t stride = y.size();
    for (const std::size_t size : sizes) {
        assert(stride % size == 0);
        stride /= size;
        const AxisEffect axis{size, stride};
        const double main = share_of(axis.of_means(y, mean), variance);
        out.push_back({main, std::max(main, share_of(axis.along(y), variance))});
    }
    return out;
}

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
