#pragma once

#include <cstdint>
#include <vector>

#include "sim/record/fingerprint.hpp"

namespace bursar { inline namespace tools { namespace bench {

enum class AttemptEnd : std::uint8_t { finished, preempted };

/// Which job held GPUs from when to when, and how that ended: equal schedules have equal digests,
/// in whatever order their attempts are told.
class AttemptDigest {
  public:
    void add(std::uint32_t job, std::int64_t start_ms, std::int64_t end_ms, AttemptEnd end) {
        const std::uint64_t who = std::uint64_t{job} << 1U | static_cast<std::uint64_t>(end);
        sum_ += chain_hash(chain_hash(mix_bits(who), static_cast<std::uint64_t>(start_ms)),
                           static_cast<std::uint64_t>(end_ms));
        num_preempted_ += end == AttemptEnd::preempted ? 1 : 0;
    }
    [[nodiscard]] std::uint64_t num_preempted() const { return num_preempted_; }
    bool operator==(const AttemptDigest&) const = default;

  private:
    std::uint64_t sum_{};
    std::uint64_t num_preempted_{};
};

/// A recorder that makes the digest of the engine's run.
class DigestRecorder {
  public:
    explicit DigestRecorder(std::size_t num_jobs) : start_ms_(num_jobs) {}

    void started(JobId job, PoolId, std::uint32_t, std::int64_t now_ms) { start_ms_[job] = now_ms; }
    void stopped(JobId job, StopCause, std::int64_t now_ms, std::int64_t, std::int64_t) {
        digest_.add(job, start_ms_[job], now_ms, AttemptEnd::preempted);
    }
    void finished(JobId job, std::int64_t now_ms) {
        digest_.add(job, start_ms_[job], now_ms, AttemptEnd::finished);
    }
    void reserved(JobId, std::int64_t) {}
    void paid(PoolId, std::int64_t, std::int64_t) {}
    template <class State, class Queue, class Capacity>
    void settled(const State&, const Queue&, const Capacity&) {}

    [[nodiscard]] const AttemptDigest& digest() const { return digest_; }

  private:
    std::vector<std::int64_t> start_ms_; ///< by job: of its last attempt
    AttemptDigest digest_;
};

}}} // namespace bursar::tools::bench
