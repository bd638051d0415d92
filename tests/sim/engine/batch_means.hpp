#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/plan_builder.hpp"

namespace bursar::test {

/// Mean and 95 % half-width by batch means: 40 batches in order of arrival, nearly independent when
/// a batch is much longer than a busy period.
struct Estimate {
    double mean{};
    double half_width{};
    /// At 99 %, because many cases are tested, each with a fixed seed.
    [[nodiscard]] bool covers(double value) const {
        return std::abs(mean - value) <= 2.708 / 2.023 * half_width; // t(0.995, 39)
    }
};

inline Estimate batch_means(const std::vector<double>& values) {
    constexpr std::size_t num_batches = 40;
    const std::size_t size = values.size() / num_batches;
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t batch = 0; batch < num_batches; ++batch) {
        double mean = 0.0;
        for (std::size_t i = 0; i < size; ++i)
            mean += values[batch * size + i];
        mean /= static_cast<double>(size);
        sum += mean;
        squares += mean * mean;
    }
    const double mean = sum / num_batches;
    const double variance = (squares - sum * mean) / (num_batches - 1);
    return {mean, 2.023 * std::sqrt(variance / num_batches)}; // t(0.975, 39)
}

/// Numbers from one seed, the same on every platform, unlike the standard distributions.
class QueueSource {
  public:
    explicit QueueSource(std::uint32_t seed) : random_{seed} {}

    /// Between 0 and 1, neither included.
    double uniform() { return (static_cast<double>(random_() >> 11U) + 0.5) * 0x1p-53; }
    double exponential(double mean) { return -mean * std::log(uniform()); }
    std::int64_t exponential_ms(double mean_ms) { return std::llround(exponential(mean_ms)); }

  private:
    std::mt19937_64 random_;
};

/// Adds a one-GPU job to a plan.
inline void add_customer(Plan& plan, std::int64_t submit_ms, std::int64_t work_ms) {
    plan.submit_ms.push_back(submit_ms);
    plan.work_ms.push_back(work_ms);
    plan.shape.push_back(0);
    plan.job_class.push_back(0);
    plan.tenant.push_back(0);
    plan.end.push_back(JobEnd::completed);
}

} // namespace bursar::test
