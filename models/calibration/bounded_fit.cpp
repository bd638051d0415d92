#include "models/calibration/bounded_fit.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include <Eigen/Cholesky>

namespace bursar { inline namespace models {
namespace {

/// Mean of 2 s^2 (sqrt(1 + (r/s)^2) - 1) / 2: r^2 / 2 near zero, s |r| far out.
double pseudo_huber(const Eigen::VectorXd& residuals, double scale) {
    double sum = 0;
    for (const double residual : residuals) {
        const double z = residual / scale;
        sum += scale * scale * (std::sqrt(1.0 + z * z) - 1.0);
    }
    return sum / static_cast<double>(residuals.size());
}

/// The `index`-th number of the Halton sequence to `base`; in (0, 1).
double halton(int index, int base) {
    double value = 0;
    double place = 1;
    for (; index > 0; index /= base) {
        place /= base;
        value += place * (index % base);
    }
    return value;
}

/// One descent. Works in units of each parameter's range, so that all unknowns count alike.
class Descent {
  public:
    Descent(const Residuals& residuals,
            std::size_t num_residuals,
            std::span<const BoundedParameter> parameters,
            const FitOptions& options)
        : residuals_{residuals}, parameters_{parameters}, options_{options},
          values_(parameters.size()), at_{static_cast<Eigen::Index>(num_residuals)},
          moved_{static_cast<Eigen::Index>(num_residuals)},
          jacobian_{static_cast<Eigen::Index>(num_residuals),
                    static_cast<Eigen::Index>(parameters.size())} {}

    BoundedFit from(Eigen::VectorXd point) {
        point_ = std::move(point);
        double loss = loss_at(point_, at_);
        double damping = 1e-3;
        for (int i = 0; i < options_.max_iterations; ++i) {
            linearise();
            const double before = loss;
            while (damping < 1e9 && !step(damping, loss))
                damping *= 8.0;
            if (damping >= 1e9 || before - loss < 1e-7 * before)
                break;
            damping = std::max(damping / 6.0, 1e-9);
        }
        evaluate(point_, at_);
        return {values_, loss};
    }

  private:
    void evaluate(const Eigen::VectorXd& point, Eigen::VectorXd& out) {
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const BoundedParameter& p = parameters_[i];
            values_[i] =
                std::clamp(p.lower + point[static_cast<Eigen::Index>(i)] * (p.upper - p.lower),
                           p.lower,
                           p.upper);
        }
        residuals_(values_, {out.data(), static_cast<std::size_t>(out.size())});
    }

    double loss_at(const Eigen::VectorXd& point, Eigen::VectorXd& out) {
        evaluate(point, out);
        return pseudo_huber(out, options_.outlier_scale);
    }

    /// Gradient and curvature of the re-weighted problem at the point.
    void linearise() {
        constexpr double width = 1e-5;
        for (Eigen::Index j = 0; j < point_.size(); ++j) {
            const double delta = point_[j] + width <= 1.0 ? width : -width;
            Eigen::VectorXd nudged = point_;
            nudged[j] += delta;
            evaluate(nudged, moved_);
            jacobian_.col(j) = (moved_ - at_) / delta;
        }
        const Eigen::ArrayXd weights =
            (1.0 + (at_.array() / options_.outlier_scale).square()).sqrt().inverse();
        const Eigen::MatrixXd weighted = jacobian_.array().colwise() * weights;
        gradient_ = weighted.transpose() * at_;
        curvature_ = weighted.transpose() * jacobian_;
    }

    /// Takes the damped step if it lowers `loss`.
    bool step(double damping, double& loss) {
        std::vector<Eigen::Index> moving;
        for (Eigen::Index j = 0; j < point_.size(); ++j) {
            const bool held = (point_[j] <= 0.0 && gradient_[j] > 0.0) ||
                              (point_[j] >= 1.0 && gradient_[j] < 0.0);
            if (!held)
                moving.push_back(j);
        }
        if (moving.empty())
            return false;
        Eigen::MatrixXd system = curvature_(moving, moving);
        const double floor = 1e-9 + 1e-6 * system.diagonal().maxCoeff();
        for (Eigen::Index j = 0; j < system.rows(); ++j)
            system(j, j) += damping * std::max(system(j, j), floor);
        const Eigen::VectorXd direction = system.ldlt().solve(-gradient_(moving));
        Eigen::VectorXd next = point_;
        for (std::size_t i = 0; i < moving.size(); ++i) {
            const double to = next[moving[i]] + direction[static_cast<Eigen::Index>(i)];
            next[moving[i]] = std::clamp(to, 0.0, 1.0);
        }
        const double after = loss_at(next, moved_);
        if (!(after < loss))
            return false;
        loss = after;
        point_ = next;
        at_ = moved_;
        return true;
    }

    const Residuals& residuals_;
    std::span<const BoundedParameter> parameters_;
    const FitOptions& options_;
    std::vector<double> values_;
    Eigen::VectorXd point_; ///< shares of the ranges, 0..1
    Eigen::VectorXd at_;    ///< residuals there
    Eigen::VectorXd moved_;
    Eigen::MatrixXd jacobian_;
    Eigen::VectorXd gradient_;
    Eigen::MatrixXd curvature_;
};

} // namespace

BoundedFit fit_within_bounds(const Residuals& residuals,
                             std::size_t num_residuals,
                             std::span<const BoundedParameter> parameters,
                             const FitOptions& options) {
    assert(num_residuals > 0 && !parameters.empty());
    constexpr std::array primes{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
    Descent descent{residuals, num_residuals, parameters, options};
    BoundedFit best;
    for (int start = 0; start < options.starts; ++start) {
        Eigen::VectorXd point{static_cast<Eigen::Index>(parameters.size())};
        for (std::size_t j = 0; j < parameters.size(); ++j) {
            const BoundedParameter& p = parameters[j];
            assert(p.lower < p.upper && p.lower <= p.start && p.start <= p.upper);
            point[static_cast<Eigen::Index>(j)] = start == 0
                                                      ? (p.start - p.lower) / (p.upper - p.lower)
                                                      : halton(start, primes[j % primes.size()]);
        }
        BoundedFit fit = descent.from(point);
        if (start == 0 || fit.loss < best.loss)
            best = std::move(fit);
    }
    return best;
}

}} // namespace bursar::models
