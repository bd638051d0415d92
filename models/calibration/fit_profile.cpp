#include "models/calibration/fit_profile.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/errors/model_error.hpp"

namespace bursar { inline namespace models {

Seconds modelled_time(const TrainingJob& job,
                      const Cluster& cluster,
                      MeasuredPart part,
                      const StackProfile& profile) {
    const StepTime step = step_time(job, cluster, profile);
    switch (part) {
    case MeasuredPart::step:
        return step.total();
    case MeasuredPart::forward: {
        // Backward products take twice the forward ones; the host shares by its own times.
        const double host = profile.host_forward / (profile.host_forward + profile.host_backward);
        return (step.gemm + step.attention + step.memory_bound + step.tensor_comm) / 3.0 +
               host * step.host;
    }
    case MeasuredPart::forward_backward:
        return step.total() - step.optimizer;
    }
    return step.total();
}

namespace {

/// Weight of a constant's distance from its start, as a share of its range, relative to one row's
/// residual (FORMULAS 4.13). The prior is an eighth of the range wide, against noise of `noise`. It
/// falls with the number of rows, to no less than a ten-thousandth of their number.
double pull_of(std::size_t rows, double noise) {
    constexpr double prior_width = 0.125;
    const auto n = static_cast<double>(rows);
    return std::max(noise / prior_width * std::sqrt(6.0 / (3.0 + n)), 0.01 * std::sqrt(n));
}

/// A constant in the unit the fit moves it in.
double to_fit(const ProfileConstant& constant, double value) {
    return constant.log_scale ? std::log(value) : value;
}
double from_fit(const ProfileConstant& constant, double value) {
    return std::clamp(constant.log_scale ? std::exp(value) : value, constant.min, constant.max);
}

std::vector<const ProfileConstant*> named(std::span<const std::string> names) {
    std::vector<const ProfileConstant*> constants;
    for (const std::string& name : names) {
        const ProfileConstant* constant = find_profile_constant(name);
        if (constant == nullptr)
            throw ModelError{"free", "no constant is named \"" + name + "\"", ""};
        constants.push_back(constant);
    }
    return constants;
}

StackProfile with(const StackProfile& start,
                  std::span<const ProfileConstant* const> constants,
                  std::span<const double> values) {
    StackProfile profile = start;
    for (std::size_t i = 0; i < constants.size(); ++i)
        constants[i]->set(profile, from_fit(*constants[i], values[i]));
    return profile;
}

double log_error(const StepObservation& seen, const StackProfile& profile) {
    return std::log(modelled_time(seen.job, seen.cluster, seen.part, profile) / seen.measured);
}

} // namespace

ProfileFit fit_profile(std::span<const StepObservation> observations,
                       const StackProfile& start,
                       std::span<const std::string> free,
                       const FitOptions& options) {
    const std::vector<const ProfileConstant*> constants = named(free);
    if (constants.empty())
        throw ModelError{"free", "no constant to fit", "name at least one"};
    if (observations.empty())
        throw ModelError{"rows", "no measured step to fit to", ""};
    std::vector<BoundedParameter> parameters;
    for (const ProfileConstant* constant : constants) {
        const double at = std::clamp(constant->get(start), constant->min, constant->max);
        parameters.push_back({to_fit(*constant, at),
                              to_fit(*constant, constant->min),
                              to_fit(*constant, constant->max)});
    }
    const double pull = pull_of(observations.size(), options.outlier_scale);
    const Residuals residuals = [&](std::span<const double> values, std::span<double> out) {
        const StackProfile profile = with(start, constants, values);
        for (std::size_t i = 0; i < observations.size(); ++i)
            out[i] = log_error(observations[i], profile);
        for (std::size_t j = 0; j < parameters.size(); ++j)
            out[observations.size() + j] = pull * (values[j] - parameters[j].start) /
                                           (parameters[j].upper - parameters[j].lower);
    };
    const BoundedFit fit =
        fit_within_bounds(residuals, observations.size() + parameters.size(), parameters, options);
    ProfileFit result{with(start, constants, fit.values), {free.begin(), free.end()}, {}};
    for (std::size_t j = 0; j < constants.size(); ++j) {
        const BoundedParameter& p = parameters[j];
        const double margin = 1e-3 * (p.upper - p.lower);
        const bool low = fit.values[j] < p.lower + margin && p.start > p.lower + margin;
        const bool high = fit.values[j] > p.upper - margin && p.start < p.upper - margin;
        if (low || high)
            result.at_bound.emplace_back(constants[j]->name);
    }
    return result;
}

std::vector<std::string> decisive_constants(std::span<const StepObservation> observations,
                                            const StackProfile& profile,
                                            std::size_t max_constants) {
    const std::span<const ProfileConstant> all = profile_constants();
    std::vector<double> reach(all.size());
    for (std::size_t j = 0; j < all.size(); ++j) {
        StackProfile low = profile;
        StackProfile high = profile;
        all[j].set(low, all[j].min);
        all[j].set(high, all[j].max);
        for (const StepObservation& seen : observations)
            reach[j] = std::max(reach[j], std::abs(log_error(seen, high) - log_error(seen, low)));
    }
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](auto a, auto b) { return reach[a] > reach[b]; });
    order.resize(std::min(order.size(), max_constants));
    std::ranges::sort(order);
    std::vector<std::string> names;
    for (const std::size_t j : order)
        if (reach[j] >= 0.01)
            names.emplace_back(all[j].name);
    return names;
}

ErrorStatistics profile_errors(std::span<const StepObservation> observations,
                               const StackProfile& profile) {
    std::vector<Prediction> predictions;
    predictions.reserve(observations.size());
    for (const StepObservation& seen : observations)
        predictions.push_back({modelled_time(seen.job, seen.cluster, seen.part, profile).count(),
                               seen.measured.count()});
    return error_statistics(predictions);
}

}} // namespace bursar::models
