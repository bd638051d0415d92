#include "models/scaling/surface_fit.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include <nlopt.h>

#include "models/errors/model_error.hpp"
#include "models/errors/require.hpp"
#include "models/random/philox.hpp"
#include "models/scaling/compute_optimal.hpp"

namespace bursar { inline namespace models {

std::vector<ScalingRun> without_highest(std::span<const ScalingRun> runs, std::size_t count) {
    if (count >= runs.size())
        throw ModelError{
            "drop_highest", "all " + std::to_string(runs.size()) + " runs would be left out", {}};
    std::vector<std::size_t> by_loss(runs.size());
    std::iota(by_loss.begin(), by_loss.end(), std::size_t{0});
    std::ranges::stable_sort(by_loss, {}, [&](std::size_t i) { return runs[i].loss; });
    by_loss.resize(runs.size() - count);
    std::ranges::sort(by_loss);
    std::vector<ScalingRun> kept;
    kept.reserve(by_loss.size());
    for (const std::size_t i : by_loss)
        kept.push_back(runs[i]);
    return kept;
}

SurfaceError surface_error(const LossSurface& surface, std::span<const ScalingRun> runs) {
    assert(!runs.empty());
    SurfaceError error;
    for (const ScalingRun& run : runs) {
        const double off = loss(surface, run.size) / run.loss - 1;
        error.mean_absolute += std::abs(off);
        error.bias += off;
    }
    const auto count = static_cast<double>(runs.size());
    return {error.mean_absolute / count, error.bias / count};
}

namespace {

constexpr std::size_t num_descents = 16; // from the best points of the grid

/// The runs in the coordinates of the fit: log N and log D minus their means, which removes the
/// strong correlation between a coefficient and its exponent.
///
/// The variables are log E, log(A N0^-alpha), log(B D0^-beta), alpha, beta: the logarithms of the
/// three terms at the centre (N0, D0), and the exponents.
class CentredRuns {
  public:
    explicit CentredRuns(std::span<const ScalingRun> runs) {
        for (const ScalingRun& run : runs) {
            centre_n_ += std::log(run.size.params.count()) / static_cast<double>(runs.size());
            centre_d_ += std::log(run.size.tokens.count()) / static_cast<double>(runs.size());
        }
        rows_.reserve(runs.size());
        for (const ScalingRun& run : runs)
            rows_.push_back({std::log(run.size.params.count()) - centre_n_,
                             std::log(run.size.tokens.count()) - centre_d_,
                             std::log(run.loss)});
    }

    /// Summed Huber loss and its gradient.
    double operator()(std::span<const double> at, std::span<double> gradient) const {
        std::ranges::fill(gradient, 0.0);
        double sum = 0;
        for (const Row& row : rows_) {
            const double params_term = at[1] - at[3] * row.log_n;
            const double tokens_term = at[2] - at[4] * row.log_d;
            const double largest = std::max({at[0], params_term, tokens_term});
            const double e = std::exp(at[0] - largest);
            const double a = std::exp(params_term - largest);
            const double b = std::exp(tokens_term - largest);
            const double residual = largest + std::log(e + a + b) - row.log_loss;
            const double slope = std::clamp(residual, -huber_delta, huber_delta);
            sum += slope * (residual - slope / 2);
            const double weight = slope / (e + a + b);
            gradient[0] += weight * e;
            gradient[1] += weight * a;
            gradient[2] += weight * b;
            gradient[3] -= weight * a * row.log_n;
            gradient[4] -= weight * b * row.log_d;
        }
        return sum;
    }

    [[nodiscard]] double mean_log_loss() const {
        double sum = 0;
        for (const Row& row : rows_)
            sum += row.log_loss;
        return sum / static_cast<double>(rows_.size());
    }

    /// Whether log N, and log D, take more than one value.
    [[nodiscard]] bool varies_n() const { return varies(&Row::log_n); }
    [[nodiscard]] bool varies_d() const { return varies(&Row::log_d); }

    [[nodiscard]] std::vector<double> variables(const LossSurface& surface) const {
        return {std::log(surface.entropy),
                std::log(surface.params_coefficient) - surface.alpha * centre_n_,
                std::log(surface.tokens_coefficient) - surface.beta * centre_d_,
                surface.alpha,
                surface.beta};
    }

    [[nodiscard]] LossSurface surface(std::span<const double> at) const {
        LossSurface surface;
        surface.entropy = std::exp(at[0]);
        surface.alpha = at[3];
        surface.beta = at[4];
        surface.params_coefficient = std::exp(at[1] + surface.alpha * centre_n_);
        surface.tokens_coefficient = std::exp(at[2] + surface.beta * centre_d_);
        return surface;
    }

  private:
    struct Row {
        double log_n{};
        double log_d{};
        double log_loss{};
    };
    [[nodiscard]] bool varies(double Row::*coordinate) const {
        const auto [least, most] = std::ranges::minmax_element(rows_, {}, coordinate);
        return std::invoke(coordinate, *most) - std::invoke(coordinate, *least) > 1e-6;
    }

    double centre_n_{};
    double centre_d_{};
    std::vector<Row> rows_;
};

struct Minimum {
    std::vector<double> at;
    double value{std::numeric_limits<double>::infinity()};
};

/// The loss of CentredRuns as NLopt calls it; gradient: null where it needs none.
double evaluate(unsigned size, const double* at, double* gradient, void* runs) {
    std::array<double, 5> unused{};
    double* const slopes = gradient == nullptr ? unused.data() : gradient;
    return (*static_cast<const CentredRuns*>(runs))({at, size}, {slopes, size});
}

/// A local minimum reached downhill from `start`, by the quasi-Newton steps of NLopt's SLSQP, which
/// cope with the kinks of a nearly absolute loss, too. Ends when a step changes the loss by less
/// than a part in 1e14.
Minimum minimise(const CentredRuns& runs, std::vector<double> start) {
    const auto size = static_cast<unsigned>(start.size());
    const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> search{
        nlopt_create(NLOPT_LD_SLSQP, size), &nlopt_destroy};
    nlopt_set_min_objective(search.get(), evaluate, const_cast<CentredRuns*>(&runs));
    nlopt_set_ftol_rel(search.get(), 1e-14);
    nlopt_set_maxeval(search.get(), 5000);
    Minimum found{std::move(start)};
    const nlopt_result ended = nlopt_optimize(search.get(), found.at.data(), &found.value);
    if (ended == NLOPT_OUT_OF_MEMORY)
        throw std::bad_alloc{};
    // A search stopped by rounding has the best point. One that failed has none to choose.
    if (ended < 0 && ended != NLOPT_ROUNDOFF_LIMITED)
        found.value = std::numeric_limits<double>::infinity();
    return found;
}

/// Hoffmann's grid in these coordinates: shares of the three terms in the loss at the centre, and
/// both exponents.
std::vector<std::vector<double>> starting_grid(double mean_log_loss) {
    std::vector<std::vector<double>> starts;
    for (const double entropy_share : {0.2, 0.5, 0.8})
        for (const double params_share : {0.2, 0.5, 0.8})
            for (const double alpha : {0.1, 0.3, 0.6, 1.2})
                for (const double beta : {0.1, 0.3, 0.6, 1.2})
                    starts.push_back(
                        {mean_log_loss + std::log(entropy_share),
                         mean_log_loss + std::log((1 - entropy_share) * params_share),
                         mean_log_loss + std::log((1 - entropy_share) * (1 - params_share)),
                         alpha,
                         beta});
    return starts;
}

/// The best num_descents starts, best first.
std::vector<std::vector<double>> best_starts(const CentredRuns& runs) {
    struct Start {
        double value{};
        std::vector<double> at;
    };
    std::vector<Start> starts;
    std::array<double, 5> gradient{};
    for (std::vector<double>& at : starting_grid(runs.mean_log_loss())) {
        const double value = runs(at, gradient);
        starts.push_back({value, std::move(at)});
    }
    std::ranges::stable_sort(starts, {}, &Start::value);
    std::vector<std::vector<double>> best;
    for (std::size_t i = 0; i < std::min(num_descents, starts.size()); ++i)
        best.push_back(std::move(starts[i].at));
    return best;
}

void check(std::span<const ScalingRun> runs) {
    if (runs.size() < min_runs_to_fit)
        throw ModelError{"runs",
                         std::to_string(runs.size()) + " are too few for five coefficients",
                         "give at least " + std::to_string(min_runs_to_fit)};
    for (const ScalingRun& run : runs) {
        require_positive("params", run.size.params.count());
        require_positive("tokens", run.size.tokens.count());
        require_positive("loss", run.loss);
    }
}

SurfaceFit described(std::span<const ScalingRun> runs, LossSurface surface, double objective) {
    const auto flops = [](const ScalingRun& run) { return training_flops(run.size); };
    const auto [least, most] = std::ranges::minmax_element(runs, {}, flops);
    surface.id = "fit";
    surface.fitted_from = flops(*least);
    surface.fitted_to = flops(*most);
    surface.source = "fitted to " + std::to_string(runs.size()) +
                     " runs: Huber loss (delta 0.001) of log loss, Hoffmann et al. 2022 Approach 3";
    return {std::move(surface), objective};
}

} // namespace

SurfaceFit fit_surface(std::span<const ScalingRun> runs) {
    check(runs);
    const CentredRuns centred{runs};
    if (!centred.varies_n())
        throw ModelError{"params", "all runs have the same number", "vary the size of the model"};
    if (!centred.varies_d())
        throw ModelError{"tokens", "all runs have the same number", "vary the length of the run"};
    if (std::ranges::adjacent_find(runs, std::ranges::not_equal_to{}, &ScalingRun::loss) ==
        runs.end())
        throw ModelError{
            "loss", "all runs have the same", "give runs that ended at different ones"};
    Minimum best;
    for (const std::vector<double>& start : best_starts(centred)) {
        Minimum found = minimise(centred, start);
        if (found.value < best.value)
            best = std::move(found);
    }
    const LossSurface surface = centred.surface(best.at);
    // Exponents near 0 mean a constant loss.
    constexpr double min_exponent = 1e-4;
    const bool falls = surface.alpha > min_exponent && surface.beta > min_exponent &&
                       surface.params_coefficient > 0 && surface.tokens_coefficient > 0 &&
                       std::isfinite(surface.params_coefficient) &&
                       std::isfinite(surface.tokens_coefficient);
    if (!falls)
        throw ModelError{"runs",
                         "their loss does not fall with both parameters and tokens",
                         "give runs that vary both"};
    return described(runs, surface, best.value);
}

SurfaceFit refit_surface(std::span<const ScalingRun> runs, const LossSurface& start) {
    const CentredRuns centred{runs};
    const Minimum found = minimise(centred, centred.variables(start));
    return described(runs, centred.surface(found.at), found.value);
}

namespace {

constexpr double tail = 0.025; // of a 95 % interval, on each side

std::vector<ScalingRun>
resampled(std::span<const ScalingRun> runs, const RandomStream& random, std::size_t replicate) {
    std::vector<ScalingRun> sample;
    sample.reserve(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
        sample.push_back(runs[random.below(runs.size(), replicate, static_cast<std::uint32_t>(i))]);
    return sample;
}

/// The order statistics nearest to both tails.
template <class Value>
Interval percentiles(const std::vector<LossSurface>& surfaces, Value value) {
    std::vector<double> values;
    values.reserve(surfaces.size());
    for (const LossSurface& surface : surfaces)
        values.push_back(std::invoke(value, surface));
    std::ranges::sort(values);
    const auto last = static_cast<double>(values.size() - 1);
    return {values[static_cast<std::size_t>(std::floor(tail * last))],
            values[static_cast<std::size_t>(std::ceil((1 - tail) * last))]};
}

} // namespace

SurfaceIntervals bootstrap_intervals(std::span<const ScalingRun> runs,
                                     const SurfaceFit& fit,
                                     std::size_t resamples,
                                     std::uint64_t seed) {
    if (resamples < min_resamples)
        throw ModelError{"bootstrap",
                         std::to_string(resamples) + " resamples are too few for an interval",
                         "take at least " + std::to_string(min_resamples)};
    const RandomStream random{seed, Stream::scaling_bootstrap};
    std::vector<LossSurface> surfaces;
    surfaces.reserve(resamples);
    for (std::size_t replicate = 0; replicate < resamples; ++replicate)
        surfaces.push_back(refit_surface(resampled(runs, random, replicate), fit.surface).surface);
    return {.entropy = percentiles(surfaces, &LossSurface::entropy),
            .params_coefficient = percentiles(surfaces, &LossSurface::params_coefficient),
            .tokens_coefficient = percentiles(surfaces, &LossSurface::tokens_coefficient),
            .alpha = percentiles(surfaces, &LossSurface::alpha),
            .beta = percentiles(surfaces, &LossSurface::beta),
            .params_exponent = percentiles(surfaces, optimal_params_exponent)};
}

}} // namespace bursar::models
