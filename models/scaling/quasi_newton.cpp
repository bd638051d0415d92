#include "models/scaling/quasi_newton.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include <Eigen/Core>

namespace bursar { inline namespace models {
namespace {

using Eigen::VectorXd;

constexpr int max_steps = 500;
constexpr int max_line_trials = 60;
constexpr double enough_decrease = 1e-4; // c1 of the Wolfe conditions
constexpr double enough_curvature = 0.9; // c2
constexpr double min_progress = 1e-14;

struct Point {
    VectorXd at;
    VectorXd gradient;
    double value{};
};

Point evaluate(const SmoothFunction& f, VectorXd at) {
    Point point{std::move(at), {}, 0};
    point.gradient.resize(point.at.size());
    const auto n = static_cast<std::size_t>(point.at.size());
    point.value = f({point.at.data(), n}, {point.gradient.data(), n});
    return point;
}

/// The point along `direction` that meets the weak Wolfe conditions; absent when the slope does not
/// lead down any further in double precision.
std::optional<Point>
line_search(const SmoothFunction& f, const Point& from, const VectorXd& direction) {
    const double slope = from.gradient.dot(direction);
    if (!(slope < 0))
        return std::nullopt;
    double low = 0;
    double high = std::numeric_limits<double>::infinity();
    double step = 1;
    for (int trial = 0; trial < max_line_trials; ++trial) {
        Point to = evaluate(f, from.at + step * direction);
        const bool falls = to.value <= from.value + enough_decrease * step * slope; // false on NaN
        if (!falls)
            high = step;
        else if (to.gradient.dot(direction) < enough_curvature * slope)
            low = step;
        else
            return to;
        step = std::isinf(high) ? 2 * step : (low + high) / 2;
    }
    return std::nullopt;
}

/// Takes the curvature seen between two points into the inverse Hessian.
void update(Eigen::MatrixXd& inverse, const VectorXd& moved, const VectorXd& turned) {
    const double curvature = moved.dot(turned);
    if (curvature <= 0)
        return;
    const auto identity = Eigen::MatrixXd::Identity(inverse.rows(), inverse.cols());
    const Eigen::MatrixXd left = identity - moved * turned.transpose() / curvature;
    inverse = left * inverse * left.transpose() + moved * moved.transpose() / curvature;
}

} // namespace

Minimum minimise(const SmoothFunction& f, std::vector<double> start) {
    const auto size = static_cast<Eigen::Index>(start.size());
    Point here = evaluate(f, Eigen::Map<const VectorXd>(start.data(), size));
    Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(size, size);
    inverse /= std::max(here.gradient.norm(), std::numeric_limits<double>::min());
    for (int step = 0; step < max_steps; ++step) {
        const std::optional<Point> next = line_search(f, here, -(inverse * here.gradient));
        if (!next)
            break;
        const double fell = here.value - next->value;
        const VectorXd moved = next->at - here.at;
        const VectorXd turned = next->gradient - here.gradient;
        if (step == 0 && moved.dot(turned) > 0) // the scale of the first Hessian: N&W eq. 6.20
            inverse =
                Eigen::MatrixXd::Identity(size, size) * moved.dot(turned) / turned.squaredNorm();
        update(inverse, moved, turned);
        here = *next;
        if (fell <= min_progress * std::abs(here.value))
            break;
    }
    return {{here.at.data(), here.at.data() + size}, here.value};
}

}} // namespace bursar::models
