#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace bursar::test {

/// The rates of arrivals, services and setups; servers are off when no job needs them.
struct SetupQueue {
    int num_servers{1};
    double arrivals{};
    double service{1};
    double setup{};
};

/// Its stationary means.
struct SetupMeans {
    double response{}; ///< from arrival to departure
    double paid{};     ///< servers that work or are set up
};

/// The queue M/M/k with setup as a Markov chain, cut off at `max_jobs` and solved exactly.
///
/// A state is (servers at work i, jobs n >= i). As many servers are set up as jobs wait, of those
/// that are off: min(n - i, k - i). An arriving job sets one up; a leaving job passes its server to
/// the first waiting job, and a setup that is then not needed is cancelled; with no job waiting the
/// server goes off. Source: Gandhi, Doroudi, Harchol-Balter and Scheller-Wolf, "Exact analysis of
/// the M/M/k/setup class of Markov chains via recursive renewal reward", SIGMETRICS 2013.
class SetupChain {
  public:
    SetupChain(const SetupQueue& queue, int max_jobs) : queue_{queue}, max_jobs_{max_jobs} {
        const std::size_t size = index(0, max_jobs + 1);
        rates_.assign(size, std::vector<double>(2 * band() + 1));
        for (int n = 0; n <= max_jobs; ++n)
            for (int i = 0; i <= std::min(n, queue.num_servers); ++i)
                add_rates(i, n);
    }

    [[nodiscard]] SetupMeans means() {
        const std::vector<double> share = solve();
        double jobs = 0;
        SetupMeans out;
        for (int n = 0; n <= max_jobs_; ++n)
            for (int i = 0; i <= std::min(n, queue_.num_servers); ++i) {
                jobs += share[index(i, n)] * n;
                out.paid += share[index(i, n)] * std::min(n, queue_.num_servers);
            }
        out.response = jobs / queue_.arrivals; // Little's law
        return out;
    }

  private:
    /// States by jobs, then by servers at work. n <= k jobs have n + 1 of them, more have k + 1.
    [[nodiscard]] std::size_t index(int i, int n) const {
        const int k = queue_.num_servers;
        const int before = n <= k ? n * (n + 1) / 2 : k * (k + 1) / 2 + (n - k) * (k + 1);
        return static_cast<std::size_t>(before + i);
    }
    /// No rate leads further than this.
    [[nodiscard]] std::size_t band() const {
        return 2 * static_cast<std::size_t>(queue_.num_servers) + 2;
    }
    [[nodiscard]] double& rate(std::size_t from, std::size_t to) {
        return rates_[from][to + band() - from];
    }

    void add_rates(int i, int n) {
        const std::size_t here = index(i, n);
        if (n < max_jobs_)
            rate(here, index(i, n + 1)) += queue_.arrivals;
        if (i > 0)
            rate(here, index(std::min(i, n - 1), n - 1)) += i * queue_.service;
        const int in_setup = std::min(n - i, queue_.num_servers - i);
        if (in_setup > 0)
            rate(here, index(i + 1, n)) += in_setup * queue_.setup;
    }

    /// The share of time in each state: states leave from the last one, which takes no
    /// subtractions. Source: Grassmann, Taksar and Heyman, "Regenerative analysis and steady state
    /// distributions for Markov chains", Operations Research 33(5), 1985.
    [[nodiscard]] std::vector<double> solve() {
        const std::size_t size = rates_.size();
        const auto first_near = [&](std::size_t state) {
            return state > band() ? state - band() : 0;
        };
        for (std::size_t last = size - 1; last > 0; --last) {
            double leaving = 0;
            for (std::size_t to = first_near(last); to < last; ++to)
                leaving += rate(last, to);
            for (std::size_t from = first_near(last); from < last; ++from) {
                rate(from, last) /= leaving;
                for (std::size_t to = first_near(last); to < last; ++to)
                    if (to != from)
                        rate(from, to) += rate(from, last) * rate(last, to);
            }
        }
        std::vector<double> share(size);
        share[0] = 1;
        for (std::size_t state = 1; state < size; ++state)
            for (std::size_t from = first_near(state); from < state; ++from)
                share[state] += share[from] * rate(from, state);
        const double sum = std::accumulate(share.begin(), share.end(), 0.0);
        for (double& one : share)
            one /= sum;
        return share;
    }

    SetupQueue queue_;
    int max_jobs_;
    std::vector<std::vector<double>> rates_; ///< [from][to - from + band]
};

} // namespace bursar::test
