#include "models/reliability/failure_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <optional>

#include <nlopt.h>

#include "models/errors/model_error.hpp"

namespace bursar { inline namespace models {
namespace {

constexpr double ms_per_day = 86'400'000;
constexpr std::size_t min_faults = 10;

double ratio(double a, double b) {
    return b > 0 ? a / b : 0;
}

double variance_over_mean(std::span<const double> counts) {
    double sum = 0;
    double squares = 0;
    for (const double count : counts) {
        sum += count;
        squares += count * count;
    }
    const double mean = ratio(sum, static_cast<double>(counts.size()));
    return ratio(squares / static_cast<double>(counts.size()) - mean * mean, mean);
}

RepairFigures figures_of(std::vector<double> seconds) {
    if (seconds.empty())
        return {};
    std::ranges::sort(seconds);
    const auto rank = [&](double share) {
        const auto at = static_cast<std::size_t>(share * static_cast<double>(seconds.size()));
        return seconds[std::min(at, seconds.size() - 1)];
    };
    return {rank(0.5),
            std::accumulate(seconds.begin(), seconds.end(), 0.0) /
                static_cast<double>(seconds.size()),
            rank(0.9),
            rank(0.99)};
}

FailureFigures
figures_of(std::span<const LoggedFault> faults, std::uint32_t nodes, Duration length) {
    const auto length_ms = static_cast<double>(length.count());
    std::vector<double> of_node(nodes);
    std::vector<double> of_day(static_cast<std::size_t>(std::ceil(length_ms / ms_per_day)));
    std::vector<std::int64_t> repaired(nodes, std::numeric_limits<std::int64_t>::min() / 2);
    std::vector<double> repairs;
    FailureFigures figures;
    double down_ms = 0;
    for (const LoggedFault& fault : faults) {
        ++of_node[fault.node];
        const auto day_of =
            static_cast<std::size_t>(static_cast<double>(fault.begin_ms) / ms_per_day);
        ++of_day[std::min(day_of, of_day.size() - 1)];
        down_ms += std::min(static_cast<double>(fault.end_ms), length_ms) -
                   static_cast<double>(fault.begin_ms);
        repairs.push_back(static_cast<double>(fault.end_ms - fault.begin_ms) / 1000);
        if (static_cast<double>(fault.begin_ms - repaired[fault.node]) < ms_per_day)
            ++figures.again_in_a_day;
        repaired[fault.node] = fault.end_ms;
    }
    figures.faults = static_cast<double>(faults.size());
    figures.per_node_day = figures.faults / (nodes * length_ms / ms_per_day);
    figures.down_share = down_ms / (nodes * length_ms);
    figures.variance_over_mean = variance_over_mean(of_node);
    figures.daily_variance_over_mean = variance_over_mean(of_day);
    figures.again_in_a_day = ratio(figures.again_in_a_day, figures.faults);
    figures.repair = figures_of(std::move(repairs));
    return figures;
}

/// The law with the repairs' median and mean.
FittedRepair fitted_repair(RepairLaw law, const std::vector<double>& sorted_s) {
    const RepairFigures data = figures_of(sorted_s);
    const auto in_ms = [](double seconds) {
        return Duration{std::max<std::int64_t>(std::llround(seconds * 1000), 1)};
    };
    FittedRepair fitted{{{}, in_ms(data.mean_s), law, in_ms(data.median_s)}, {}, 0};
    const std::optional<LifeLaw> life = fitted.repair.beyond_least();
    const auto seconds_at = [&](double share) {
        return static_cast<double>(life->at(share).count()) / 1000;
    };
    fitted.figures = {seconds_at(0.5), life->mean_ms() / 1000, seconds_at(0.9), seconds_at(0.99)};
    // The law's share below each repair, by halving: laws have quantiles only.
    const auto num = static_cast<double>(sorted_s.size());
    for (std::size_t i = 0; i < sorted_s.size(); ++i) {
        double low = 1e-9;
        double high = 1 - 1e-9;
        for (int step = 0; step < 30; ++step) {
            const double middle = (low + high) / 2;
            (seconds_at(middle) < sorted_s[i] ? low : high) = middle;
        }
        const auto rank = static_cast<double>(i);
        fitted.distance = std::max(
            {fitted.distance, std::abs(low - rank / num), std::abs(low - (rank + 1) / num)});
    }
    return fitted;
}

/// The lives of one node: from 0 to its first fault, from each repair to the next fault, and from
/// the last repair to the end, in days.
struct NodeHistory {
    double first{}; ///< the whole time if it has no fault
    std::vector<double> gaps;
    double last{}; ///< of no meaning without a fault
    [[nodiscard]] bool failed() const { return num_faults > 0; }
    std::size_t num_faults{};
};

/// The likelihood of the histories (FORMULAS 6.6).
class Likelihood {
  public:
    Likelihood(std::span<const LoggedFault> faults, std::uint32_t nodes, Duration length)
        : nodes_(nodes) {
        const double end = static_cast<double>(length.count()) / ms_per_day;
        std::vector<double> repaired(nodes);
        for (NodeHistory& node : nodes_)
            node.first = end;
        for (const LoggedFault& fault : faults) {
            NodeHistory& node = nodes_[fault.node];
            const double begin = static_cast<double>(fault.begin_ms) / ms_per_day;
            if (node.failed())
                node.gaps.push_back(begin - repaired[fault.node]);
            else
                node.first = begin;
            repaired[fault.node] = static_cast<double>(fault.end_ms) / ms_per_day;
            node.last = std::max(0.0, end - repaired[fault.node]);
            ++node.num_faults;
        }
    }

    struct Parameters {
        double per_day{};
        double spread{}; ///< 0: all nodes alike
        double extra{};  ///< factor - 1 of infant mortality; 0: none
        double fades{1}; ///< days
    };

    /// The logarithm of the likelihood, but for a constant.
    [[nodiscard]] double log_of(const Parameters& p) const {
        double sum = 0;
        for (const NodeHistory& node : nodes_)
            sum += log_of(node, p);
        return sum;
    }

  private:
    static double hazard(double age, const Parameters& p) {
        return age + p.extra * p.fades * -std::expm1(-age / p.fades);
    }
    static double log_of(const NodeHistory& node, const Parameters& p) {
        double exposed = node.first;
        double sum = 0;
        if (node.failed()) {
            exposed += hazard(node.last, p);
            for (const double gap : node.gaps) {
                exposed += hazard(gap, p);
                sum += std::log1p(p.extra * std::exp(-gap / p.fades));
            }
        }
        const auto num = static_cast<double>(node.num_faults);
        sum += num * std::log(p.per_day);
        if (p.spread < 1e-4)
            return sum - p.per_day * exposed;
        const double shape = 1 / (p.spread * p.spread);
        for (std::size_t i = 0; i < node.num_faults; ++i)
            sum += std::log1p(static_cast<double>(i) / shape);
        return sum - (shape + num) * std::log1p(p.per_day * exposed / shape);
    }

    std::vector<NodeHistory> nodes_;
};

/// A search over the logarithms of the parameters that a model has.
struct Search {
    const Likelihood& likelihood;
    bool bad_nodes{};
    bool infancy{};

    [[nodiscard]] unsigned size() const { return 1U + (bad_nodes ? 1U : 0U) + (infancy ? 2U : 0U); }
    [[nodiscard]] Likelihood::Parameters at(const double* logs) const {
        Likelihood::Parameters p;
        p.per_day = std::exp(*logs++);
        if (bad_nodes)
            p.spread = std::exp(*logs++);
        if (infancy) {
            p.extra = std::exp(*logs++);
            p.fades = std::exp(*logs);
        }
        return p;
    }
    static double evaluate(unsigned /*size*/, const double* at, double* /*slopes*/, void* search) {
        const auto& self = *static_cast<const Search*>(search);
        return -self.likelihood.log_of(self.at(at));
    }
};

struct Fitted {
    Likelihood::Parameters parameters;
    double criterion{std::numeric_limits<double>::infinity()}; ///< Akaike's
};

/// The best parameters of a model, by the simplex of Nelder and Mead, from several times of fading.
Fitted fitted_model(Search search, double per_day) {
    Fitted best;
    for (const double fades : {0.1, 1.0, 10.0}) {
        std::vector<double> at{std::log(per_day)};
        std::vector<double> low{std::log(1e-9)};
        std::vector<double> high{std::log(24 * max_failures_per_hour)};
        const auto add = [&](double start, double least, double most) {
            at.push_back(std::log(start));
            low.push_back(std::log(least));
            high.push_back(std::log(most));
        };
        if (search.bad_nodes)
            add(0.7, 1e-3, 10);
        if (search.infancy) {
            add(20, 1e-3, 1e6 - 1);
            add(fades, 1e-4, 1e3);
        }
        const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> simplex{
            nlopt_create(NLOPT_LN_NELDERMEAD, search.size()), &nlopt_destroy};
        if (!simplex)
            throw std::bad_alloc{};
        nlopt_set_min_objective(simplex.get(), &Search::evaluate, &search);
        nlopt_set_lower_bounds(simplex.get(), low.data());
        nlopt_set_upper_bounds(simplex.get(), high.data());
        nlopt_set_ftol_rel(simplex.get(), 1e-10);
        nlopt_set_maxeval(simplex.get(), 2000);
        double value = 0;
        const nlopt_result ended = nlopt_optimize(simplex.get(), at.data(), &value);
        if ((ended < 0 && ended != NLOPT_ROUNDOFF_LIMITED) || !std::isfinite(value))
            continue;
        const double criterion = 2 * value + 2.0 * search.size();
        if (criterion < best.criterion)
            best = {search.at(at.data()), criterion};
        if (!search.infancy)
            break;
    }
    return best;
}

void check(std::span<const LoggedFault> faults, std::uint32_t nodes, Duration length) {
    if (faults.size() < min_faults)
        throw ModelError{"faults", "are too few to fit a model to", "at least 10"};
    if (length <= Duration{0} || faults.back().begin_ms > length.count())
        throw ModelError{"length", "ends before the last fault", "the time that the log covers"};
    for (const LoggedFault& fault : faults)
        if (fault.node >= nodes)
            throw ModelError{"nodes", "are fewer than the log names", "all that it covers"};
}

FailureFigures mean_drawn(const FailureModel& model, std::uint32_t nodes, Duration length) {
    FailureFigures mean;
    const FailingPool pool{.nodes = nodes, .gpus_per_node = 1, .age = max_life};
    for (int seed = 1; seed <= num_failure_seeds; ++seed) {
        std::vector<LoggedFault> faults;
        for (const NodeFailure& failure :
             draw_failures(model, std::span{&pool, 1}, length, static_cast<std::uint64_t>(seed)))
            faults.push_back(
                {failure.node, 0, failure.time_ms, failure.time_ms + failure.repair_ms});
        const FailureFigures one = figures_of(faults, nodes, length);
        for (double FailureFigures::*figure : {&FailureFigures::faults,
                                               &FailureFigures::per_node_day,
                                               &FailureFigures::down_share,
                                               &FailureFigures::variance_over_mean,
                                               &FailureFigures::daily_variance_over_mean,
                                               &FailureFigures::again_in_a_day})
            mean.*figure += one.*figure / num_failure_seeds;
        for (double RepairFigures::*figure : {&RepairFigures::median_s,
                                              &RepairFigures::mean_s,
                                              &RepairFigures::p90_s,
                                              &RepairFigures::p99_s})
            mean.repair.*figure += one.repair.*figure / num_failure_seeds;
    }
    return mean;
}

} // namespace

FailureFit fit_failures(std::span<const LoggedFault> faults, std::uint32_t nodes, Duration length) {
    check(faults, nodes, length);
    FailureFit fit;
    fit.log = figures_of(faults, nodes, length);
    std::vector<double> repairs;
    for (const LoggedFault& fault : faults)
        repairs.push_back(static_cast<double>(fault.end_ms - fault.begin_ms) / 1000);
    std::ranges::sort(repairs);
    for (const RepairLaw law : {RepairLaw::lognormal, RepairLaw::weibull})
        fit.repairs.push_back(fitted_repair(law, repairs));

    const Likelihood likelihood{faults, nodes, length};
    Fitted best;
    for (const bool bad_nodes : {false, true})
        for (const bool infancy : {false, true}) {
            const Fitted one = fitted_model({likelihood, bad_nodes, infancy}, fit.log.per_node_day);
            if (one.criterion < best.criterion)
                best = one;
        }
    if (!std::isfinite(best.criterion))
        throw ModelError{"faults", "fit no model", "a log whose faults are spread over its time"};
    const Likelihood::Parameters& p = best.parameters;
    fit.model.components.push_back(
        {.name = "node",
         .per_node_hour = p.per_day / 24,
         .repair = std::ranges::min_element(fit.repairs, {}, &FittedRepair::distance)->repair});
    if (p.extra > 0)
        fit.model.infancy = {1 + p.extra,
                             Duration{std::max(1LL, std::llround(p.fades * ms_per_day))}};
    fit.model.node_spread = p.spread;
    fit.drawn = mean_drawn(fit.model, nodes, length);
    return fit;
}

}} // namespace bursar::models
