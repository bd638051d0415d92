#pragma once

#include <cstdint>
#include <vector>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

namespace bursar { inline namespace sim {

/// Sums of time by queue length, on the host; grows to the longest queue.
struct LengthsInVector {
    std::vector<std::int64_t>& ms;
    void add(std::uint32_t length, std::int64_t span) const {
        if (length >= ms.size())
            ms.resize(length + std::size_t{1});
        ms[length] += span;
    }
};

/// The same in memory with room for every possible length.
struct LengthsInPlace {
    std::int64_t* ms;
    BURSAR_HD void add(std::uint32_t length, std::int64_t span) const { ms[length] += span; }
};

/// Adds up the time at each queue length, and the GPUs requested.
class QueueClock {
  public:
    QueueClock() = default;
    BURSAR_HD QueueClock(std::int64_t window_begin_ms, std::int64_t window_end_ms)
        : begin_ms_{window_begin_ms}, end_ms_{window_end_ms} {}

    /// Sets the queue from `now_ms` on; never before an earlier call's.
    template <class Lengths>
    BURSAR_HD void
    note(std::int64_t now_ms, std::uint32_t jobs, std::uint64_t gpus, const Lengths& lengths) {
        pass_to(now_ms, lengths);
        jobs_ = jobs;
        gpus_ = gpus;
    }
    /// Adds the time up to the end of the run.
    template <class Lengths>
    BURSAR_HD void close(std::int64_t end_ms, const Lengths& lengths) {
        pass_to(end_ms, lengths);
    }

    [[nodiscard]] BURSAR_HD int128 gpu_ms() const {
        return gpu_ms_;
    } ///< requested, summed over time
    [[nodiscard]] BURSAR_HD std::uint64_t max_gpus() const { return max_gpus_; } ///< at once

  private:
    template <class Lengths>
    BURSAR_HD void pass_to(std::int64_t now_ms, const Lengths& lengths) {
        const std::int64_t until = now_ms < end_ms_ ? now_ms : end_ms_;
        const std::int64_t span = until - begin_ms_;
        if (span <= 0)
            return;
        begin_ms_ = until;
        lengths.add(jobs_, span);
        gpu_ms_ += int128{span} * gpus_;
        max_gpus_ = max_gpus_ < gpus_ ? gpus_ : max_gpus_;
    }

    std::int64_t begin_ms_{}; ///< of the window; then the time up to which lengths are added
    std::int64_t end_ms_{};
    std::uint32_t jobs_{};
    std::uint64_t gpus_{};
    int128 gpu_ms_{};
    std::uint64_t max_gpus_{};
};

}} // namespace bursar::sim
