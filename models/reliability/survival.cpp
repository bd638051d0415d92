#include "models/reliability/survival.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "models/errors/require.hpp"

namespace bursar { inline namespace models {
namespace {

/// Integral of the curve from one point to the next.
double area(const SurvivalPoint& a, const SurvivalPoint& b) {
    const double width = (b.age - a.age).count();
    if (b.share == 0 || a.share == b.share)
        return width * (a.share + b.share) / 2;
    return width * (a.share - b.share) / std::log(a.share / b.share);
}

void check(const std::vector<SurvivalPoint>& points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        require_not_negative("survival age", points[i].age.count());
        require_share("survival share", points[i].share);
        if (i > 0 && points[i].age <= points[i - 1].age)
            throw ModelError{"survival age", "does not ascend", "one row per age, in order"};
        if (i > 0 && points[i].share > points[i - 1].share)
            throw ModelError{"survival share", "rises with age", "it is the share still alive"};
    }
    if (points.back().share == 1)
        throw ModelError{"survival share", "nothing ever fails", "give ages at which some have"};
}

} // namespace

SurvivalFunction::SurvivalFunction(std::vector<SurvivalPoint> points) : points_{std::move(points)} {
    if (points_.empty())
        throw ModelError{"survival", "has no points", "give at least one age with its share"};
    if (points_.front().age > Seconds{})
        points_.insert(points_.begin(), {Seconds{}, 1.0});
    if (points_.front().share != 1)
        throw ModelError{"survival share", "is not 1 at age 0", "every life starts"};
    check(points_);
    const auto last = std::ranges::find(points_, 0.0, &SurvivalPoint::share);
    if (last != points_.end())
        points_.erase(last + 1, points_.end());
    double mean = 0;
    for (std::size_t i = 1; i < points_.size(); ++i)
        mean += area(points_[i - 1], points_[i]);
    const SurvivalPoint& end = points_.back();
    if (end.share > 0) {
        tail_hazard_ = -std::log(end.share) / end.age.count();
        mean += end.share / tail_hazard_;
    }
    mean_ = Seconds{mean};
}

SurvivalFunction SurvivalFunction::memoryless(Seconds mean) {
    require_positive("mtbf", mean.count());
    return SurvivalFunction{{{mean, std::exp(-1.0)}}};
}

double SurvivalFunction::at(Seconds age) const {
    if (age <= Seconds{})
        return 1;
    const auto next = std::ranges::lower_bound(points_, age, {}, &SurvivalPoint::age);
    if (next == points_.end()) {
        const SurvivalPoint& end = points_.back();
        return end.share * std::exp(-tail_hazard_ * (age - end.age).count());
    }
    const SurvivalPoint& before = *(next - 1);
    const double part = (age - before.age) / (next->age - before.age);
    if (next->share == 0)
        return before.share * (1 - part);
    return before.share * std::pow(next->share / before.share, part);
}

Seconds SurvivalFunction::age_reached_by(double share) const {
    assert(share > 0 && share < 1);
    const auto next = std::ranges::find_if(
        points_, [&](const SurvivalPoint& point) { return point.share <= share; });
    if (next == points_.end()) {
        const SurvivalPoint& end = points_.back();
        return end.age + Seconds{std::log(end.share / share) / tail_hazard_};
    }
    const SurvivalPoint& before = *(next - 1);
    const double part = next->share == 0
                            ? 1 - share / before.share
                            : std::log(share / before.share) / std::log(next->share / before.share);
    return before.age + (next->age - before.age) * part;
}

}} // namespace bursar::models
