#include "models/reliability/failure_draws.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "models/errors/model_error.hpp"
#include "models/errors/require.hpp"
#include "models/random/normal.hpp"
#include "models/random/philox.hpp"
#include "models/reliability/job_failures.hpp"

namespace bursar { inline namespace models {
namespace {

constexpr double ms_per_hour = 3.6e6;

/// The draws for each failure of an entity, by number.
enum Draw : std::uint32_t { hazard_draw, component_draw, repair_draw, draws_per_failure };

double exponential(double u) {
    return -portable_log(u);
}

/// At least 1 ms, so that time advances; limited past the horizon, so that sums fit into 64 bits.
std::int64_t whole_ms(double ms) {
    return static_cast<std::int64_t>(std::clamp(ms, 1.0, 0x1.0p60) + 0.5);
}

/// Draws of one kind of repair.
class RepairDraws {
  public:
    explicit RepairDraws(const RepairTime& repair)
        : least_ms_{repair.least.count()},
          beyond_ms_{static_cast<double>((repair.mean - repair.least).count())} {
        if (repair.law != RepairLaw::exponential)
            heavy_ = repair.beyond_least();
    }
    [[nodiscard]] std::int64_t ms(double u) const {
        if (heavy_)
            return least_ms_ + heavy_->at(u).count();
        return least_ms_ + (beyond_ms_ > 0 ? whole_ms(beyond_ms_ * exponential(u)) : 0);
    }

  private:
    std::int64_t least_ms_;
    double beyond_ms_;
    std::optional<LifeLaw> heavy_;
};

void check(const RepairTime& repair) {
    if (repair.least < Duration{0} || repair.mean < repair.least)
        throw ModelError{"repair", "mean is below its least", "least is 0 or more, mean not less"};
    if (repair.law != RepairLaw::exponential)
        (void)repair.beyond_least();
}

/// A gamma-distributed number with mean 1 and that standard deviation.
///
/// Source: Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26(3),
/// 2000.
double node_factor(const RandomStream& random, std::uint64_t entity, double spread) {
    const double shape = 1 / (spread * spread);
    const double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3;
    const double c = 1 / std::sqrt(9 * d);
    double gamma = 0;
    for (std::uint32_t n = 1; gamma <= 0; n += 2) { // draw 0 is the one of small shapes
        const double z = normal_quantile(random.uniform(entity, n));
        const double root = 1 + c * z;
        if (root <= 0)
            continue;
        const double v = root * root * root;
        if (portable_log(random.uniform(entity, n + 1)) <
            z * z / 2 + d - d * v + d * portable_log(v))
            gamma = d * v;
    }
    if (shape < 1)
        gamma *= portable_exp(std::max(-600.0, portable_log(random.uniform(entity, 0)) / shape));
    return gamma / shape;
}

void check_rate(const char* name, double per_hour) {
    require_not_negative(name, per_hour);
    if (per_hour > max_failures_per_hour)
        throw ModelError{name, "is more than one a minute", "rates are per hour"};
}

void check(const FailureModel& model) {
    for (const FailureComponent& component : model.components) {
        check_rate("per_gpu_hour", component.per_gpu_hour);
        check_rate("per_node_hour", component.per_node_hour);
        check(component.repair);
    }
    check_rate("per_rack_hour", model.racks.per_rack_hour);
    check(model.racks.repair);
    if (!(model.infancy.factor >= 1 && model.infancy.factor <= 1e6))
        throw ModelError{"infancy factor", "is outside 1 .. 1e6", "1 means none"};
    if (model.infancy.factor > 1 && model.infancy.fades <= Duration{0})
        throw ModelError{"infancy", "fades in no time", "give a time above zero"};
    if (!(model.node_spread >= 0 && model.node_spread <= 10))
        throw ModelError{"node_spread", "is outside 0 .. 10", "0: all nodes are alike"};
}

/// The age at which the hazard accumulated since `age` reaches `left`, in ms of the steady rate:
/// H(a) = a + (factor - 1) fades (1 - e^(-a / fades)), by halving an interval that holds it.
class AgeClock {
  public:
    explicit AgeClock(const InfantMortality& infancy)
        : extra_{(infancy.factor - 1) * static_cast<double>(infancy.fades.count())},
          fades_{static_cast<double>(infancy.fades.count())} {}

    [[nodiscard]] double age_after(double age, double left) const {
        if (extra_ <= 0)
            return age + left;
        const double goal = hazard(age) + left;
        double low = age;
        double high = age + left; // without infancy it takes longest
        for (int step = 0; step < 64 && high - low > 0.25; ++step) {
            const double middle = (low + high) / 2;
            (hazard(middle) < goal ? low : high) = middle;
        }
        return (low + high) / 2;
    }

  private:
    [[nodiscard]] double hazard(double age) const {
        return age + extra_ * (1 - portable_exp(-std::min(age / fades_, 600.0)));
    }

    double extra_;
    double fades_;
};

/// One node's components and their rates.
class NodeDraws {
  public:
    NodeDraws(const FailureModel& model, std::uint32_t gpus, std::uint64_t seed)
        : model_{model}, age_{model.infancy}, rates_{seed, Stream::node_rates} {
        for (const FailureComponent& component : model.components) {
            total_ += component.per_gpu_hour * gpus + component.per_node_hour;
            up_to_.push_back(total_);
            repairs_.emplace_back(component.repair);
        }
    }

    void add(const FailingPool& pool,
             std::uint32_t node,
             Duration horizon,
             const RandomStream& random,
             std::vector<NodeFailure>& out) const {
        if (total_ <= 0)
            return;
        const std::uint64_t entity = (std::uint64_t{pool.pool} << 32) | node;
        const double rate =
            model_.node_spread > 0
                ? std::max(total_ * node_factor(rates_, entity, model_.node_spread), 1e-100)
                : total_;
        auto age = static_cast<double>(pool.age.count());
        std::int64_t repaired_ms = 0;
        for (std::uint32_t n = 0;; ++n) {
            const auto u = [&](Draw draw) {
                return random.uniform(entity, n * draws_per_failure + draw);
            };
            const double wait = exponential(u(hazard_draw)) / rate * ms_per_hour;
            const std::int64_t at = repaired_ms + whole_ms(age_.age_after(age, wait) - age);
            if (at >= horizon.count())
                return;
            const std::size_t c = component_of(u(component_draw));
            const FailureComponent& component = model_.components[c];
            const std::int64_t repair = repairs_[c].ms(u(repair_draw));
            out.push_back(
                {at, repair, pool.pool, node, static_cast<std::uint32_t>(c), component.effect});
            repaired_ms = at + repair;
            age = 0;
        }
    }

  private:
    [[nodiscard]] std::size_t component_of(double u) const {
        const auto found = std::ranges::upper_bound(up_to_, u * total_);
        return std::min(static_cast<std::size_t>(found - up_to_.begin()), up_to_.size() - 1);
    }

    const FailureModel& model_;
    AgeClock age_;
    double total_{};
    std::vector<double> up_to_; ///< running sum of the components' rates
    std::vector<RepairDraws> repairs_;
    RandomStream rates_;
};

void add_rack_failures(const FailureModel& model,
                       const FailingPool& pool,
                       Duration horizon,
                       const RandomStream& random,
                       std::vector<NodeFailure>& out) {
    const RackFailures& racks = model.racks;
    if (racks.nodes_per_rack == 0 || racks.per_rack_hour <= 0)
        return;
    const RepairDraws repairs{racks.repair};
    for (std::uint32_t first = 0; first < pool.nodes; first += racks.nodes_per_rack) {
        const std::uint64_t entity =
            (std::uint64_t{pool.pool} << 32) | (first / racks.nodes_per_rack);
        const std::uint32_t end = first + std::min(racks.nodes_per_rack, pool.nodes - first);
        std::int64_t repaired_ms = 0;
        for (std::uint32_t n = 0;; ++n) {
            const auto u = [&](Draw draw) {
                return random.uniform(entity, n * draws_per_failure + draw);
            };
            const std::int64_t at = repaired_ms + whole_ms(exponential(u(hazard_draw)) /
                                                           racks.per_rack_hour * ms_per_hour);
            if (at >= horizon.count())
                break;
            const std::int64_t repair = repairs.ms(u(repair_draw));
            for (std::uint32_t node = first; node < end; ++node)
                out.push_back({at,
                               repair,
                               pool.pool,
                               node,
                               static_cast<std::uint32_t>(model.components.size()),
                               racks.effect});
            repaired_ms = at + repair;
        }
    }
}

} // namespace

std::optional<LifeLaw> RepairTime::beyond_least() const {
    const Duration beyond = mean - least;
    if (beyond <= Duration{0})
        return std::nullopt;
    switch (law) {
    case RepairLaw::exponential:
        return LifeLaw::exponential(beyond);
    case RepairLaw::lognormal:
        return LifeLaw::lognormal(median - least, beyond);
    case RepairLaw::weibull:
        break;
    }
    return LifeLaw::weibull_through(median - least, beyond);
}

RepairTime delayed(const RepairTime& repair, Duration delay) {
    RepairTime later = repair;
    later.least += delay;
    later.mean += delay;
    if (later.law != RepairLaw::exponential)
        later.median += delay;
    return later;
}

std::vector<NodeFailure> draw_failures(const FailureModel& model,
                                       std::span<const FailingPool> pools,
                                       Duration horizon,
                                       std::uint64_t seed) {
    check(model);
    const RandomStream of_nodes{seed, Stream::node_failures};
    const RandomStream of_racks{seed, Stream::rack_failures};
    std::vector<NodeFailure> out;
    for (const FailingPool& pool : pools) {
        const NodeDraws draws{model, pool.gpus_per_node, seed};
        for (std::uint32_t node = 0; node < pool.nodes; ++node)
            draws.add(pool, node, horizon, of_nodes, out);
        add_rack_failures(model, pool, horizon, of_racks, out);
    }
    std::ranges::sort(out, {}, [](const NodeFailure& f) {
        return std::tuple{f.time_ms, f.pool, f.node, f.component};
    });
    return out;
}

double expected_failures(const FailureModel& model, const FailingPool& pool, Duration horizon) {
    const auto ms = static_cast<double>(horizon.count());
    double per_hour = 0;
    double repairs = 0; // mean repair time times the rate
    for (const FailureComponent& component : model.components) {
        const double rate = component.per_gpu_hour * pool.gpus_per_node + component.per_node_hour;
        per_hour += rate;
        repairs += rate * static_cast<double>(component.repair.mean.count());
    }
    const auto per_node = [&](double rate, double mean_repair_ms) {
        return rate > 0 ? ms / (ms_per_hour / rate + mean_repair_ms) : 0.0;
    };
    const double of_node = per_node(per_hour, per_hour > 0 ? repairs / per_hour : 0);
    const RackFailures& racks = model.racks;
    const double of_rack =
        racks.nodes_per_rack == 0
            ? 0.0
            : per_node(racks.per_rack_hour, static_cast<double>(racks.repair.mean.count()));
    return pool.nodes * std::max(of_node, of_rack);
}

std::vector<std::int64_t>
draw_job_failures(double per_job_hour, std::uint32_t job, Duration work, std::uint64_t seed) {
    check_rate("per_job_hour", per_job_hour);
    std::vector<std::int64_t> out;
    if (per_job_hour <= 0)
        return out;
    const std::int64_t rate = std::max<std::int64_t>(std::llround(per_job_hour * 1e9), 1);
    std::int64_t at = 0;
    for (std::uint32_t n = 0;; ++n) {
        at += ms_to_wear(wear_to_failure(seed, job, n), rate);
        if (at >= work.count())
            return out;
        out.push_back(at);
    }
}

}} // namespace bursar::models
