#include "scenarios/compile/jobs/trials.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include "models/random/philox.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr double min_time = 0.02;
constexpr double max_time = 0.5;
constexpr double usual_every = 0.05; // between reports of drawn metrics
constexpr double rounding = 1e-9;    // of shares such as 1/3

/// The metrics of an entry's trials.
class Metrics {
  public:
    Metrics(const TrialsSpec& spec, std::uint64_t entry, std::uint64_t seed)
        : spec_{spec}, random_{seed, Stream::trials}, first_{entry << 32U} {}

    /// The metric of a trial that has run for that share.
    [[nodiscard]] double of(std::uint32_t trial, double share) const {
        if (!spec_.curves) {
            const double floor = random_.uniform(first_ + trial, 0);
            const double time =
                min_time * std::pow(max_time / min_time, random_.uniform(first_ + trial, 1));
            return floor + (1 - floor) * std::exp(-share / time);
        }
        double last = std::numeric_limits<double>::infinity(); // nothing known: the worst
        for (const TrialCurves::Point& point : spec_.curves->points[trial])
            if (point.at <= share + rounding)
                last = point.value;
        return last;
    }

    /// Shares at which a trial reports its metric, before its end.
    [[nodiscard]] std::vector<double> reports(std::uint32_t trial) const {
        std::vector<double> out;
        if (spec_.curves) {
            for (const TrialCurves::Point& point : spec_.curves->points[trial])
                out.push_back(point.at);
        } else {
            const double every = spec_.plateau->every.value_or(usual_every);
            for (int number = 1; number * every < 1; ++number)
                out.push_back(number * every);
        }
        std::erase_if(out, [](double at) { return at <= 0 || at >= 1; });
        return out;
    }

    /// A number in 0 .. 1 that orders trials by how soon they fail.
    [[nodiscard]] double fragility(std::uint32_t trial) const {
        return random_.uniform(first_ + trial, 2);
    }

  private:
    const TrialsSpec& spec_;
    RandomStream random_;
    std::uint64_t first_;
};

/// The share of its run at which a trial stops on a plateau; 1: it does not.
double plateau_of(const TrialsSpec::Plateau& rule, const Metrics& metrics, std::uint32_t trial) {
    double best = std::numeric_limits<double>::infinity();
    std::int64_t without = 0;
    for (const double at : metrics.reports(trial)) {
        const double value = metrics.of(trial, at);
        const bool gains = value < best - rule.min_delta;
        best = gains ? value : best; // as in Keras: small gains add up until they count
        without = gains ? 0 : without + 1;
        if (without >= rule.patience)
            return at;
    }
    return 1;
}

/// Builds the jobs of one entry.
class TrialBuilder {
  public:
    TrialBuilder(const ListedJob& job, std::uint64_t entry, std::uint64_t seed)
        : job_{job}, spec_{*job.trials}, metrics_{spec_, entry, seed},
          trials_(static_cast<std::size_t>(job.count)) {
        std::iota(trials_.begin(), trials_.end(), 0U);
    }

    std::vector<TrialJob> build() {
        if (spec_.smoke)
            smoke(*spec_.smoke);
        if (!spec_.rungs.empty())
            rungs();
        else
            single();
        return std::move(jobs_);
    }

  private:
    [[nodiscard]] std::int64_t ms_at(double share) const {
        return std::llround(share * static_cast<double>(job_.duration->count()));
    }
    /// Of a trial that stops there.
    [[nodiscard]] std::int64_t spared(double share) const {
        return job_.gpus * (job_.duration->count() - ms_at(share));
    }
    /// The number of a share of the trials.
    [[nodiscard]] std::size_t num_of(double share) const {
        return static_cast<std::size_t>(std::llround(share * static_cast<double>(trials_.size())));
    }

    void smoke(const TrialsSpec::Smoke& rule) {
        std::vector<std::uint32_t> order = trials_;
        std::ranges::sort(order, {}, [&](std::uint32_t trial) {
            return std::pair{metrics_.fragility(trial), trial};
        });
        std::vector<std::uint8_t> fails(trials_.size());
        for (std::size_t i = 0; i < num_of(rule.fail); ++i)
            fails[order[i]] = 1;
        for (const std::uint32_t trial : trials_) {
            TrialJob& job = jobs_.emplace_back(
                trial, stage_, rule.gpus.value_or(job_.gpus), rule.duration.count());
            if (fails[trial] != 0) {
                job.end = JobEnd::stopped;
                job.spared_gpu_ms = spared(0);
            }
        }
        std::erase_if(trials_, [&](std::uint32_t trial) { return fails[trial] != 0; });
        ++stage_;
    }

    /// The trials, the best at that share first.
    [[nodiscard]] std::vector<std::uint32_t> ranked(double share) const {
        std::vector<std::uint32_t> order = trials_;
        std::ranges::sort(order, {}, [&](std::uint32_t trial) {
            return std::pair{metrics_.of(trial, share), trial};
        });
        return order;
    }

    void rungs() {
        std::vector<std::vector<std::size_t>> jobs_of(static_cast<std::size_t>(job_.count));
        double before = 0;
        for (const double rung : spec_.rungs) {
            const double share = rung / spec_.rungs.back();
            for (const std::uint32_t trial : trials_) {
                jobs_of[trial].push_back(jobs_.size());
                jobs_.emplace_back(trial, stage_, job_.gpus, ms_at(share) - ms_at(before));
            }
            before = share;
            ++stage_;
            if (share < 1 && !trials_.empty())
                stop_worst(share, jobs_of);
        }
    }

    void stop_worst(double share, const std::vector<std::vector<std::size_t>>& jobs_of) {
        std::vector<std::uint32_t> order = ranked(share);
        const double kept = *spec_.keep * static_cast<double>(order.size());
        const auto keep = std::max<std::size_t>(1, static_cast<std::size_t>(kept + rounding));
        for (std::size_t i = keep; i < order.size(); ++i) {
            for (const std::size_t job : jobs_of[order[i]])
                jobs_[job].end = JobEnd::stopped;
            jobs_[jobs_of[order[i]].back()].spared_gpu_ms = spared(share);
        }
        order.resize(std::min(keep, order.size()));
        std::ranges::sort(order);
        trials_ = order;
    }

    /// One job a trial.
    void single() {
        std::vector<double> until(static_cast<std::size_t>(job_.count), 1);
        if (spec_.plateau)
            for (const std::uint32_t trial : trials_)
                until[trial] = plateau_of(*spec_.plateau, metrics_, trial);
        if (spec_.early) {
            const std::vector<std::uint32_t> order = ranked(spec_.early->at);
            for (std::size_t i = order.size() - num_of(spec_.early->share); i < order.size(); ++i)
                until[order[i]] = spec_.early->at;
        }
        for (const std::uint32_t trial : trials_) {
            TrialJob& job = jobs_.emplace_back(trial, stage_, job_.gpus, ms_at(until[trial]));
            if (until[trial] < 1) {
                job.end = JobEnd::stopped;
                job.spared_gpu_ms = spared(until[trial]);
            }
        }
    }

    const ListedJob& job_;
    const TrialsSpec& spec_;
    Metrics metrics_;
    std::vector<std::uint32_t> trials_; ///< those that go on, ascending
    std::uint32_t stage_{};
    std::vector<TrialJob> jobs_;
};

} // namespace

std::vector<TrialJob> trial_jobs(const ListedJob& job, std::uint64_t entry, std::uint64_t seed) {
    return TrialBuilder{job, entry, seed}.build();
}

}} // namespace bursar::scenarios
