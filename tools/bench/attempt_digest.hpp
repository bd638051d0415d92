#pragma once

#include <cstdint>

#include "sim/plan/plan.hpp"
#include "sim/record/fingerprint.hpp"

#include "policies/choice/policy_choice.hpp"

namespace bursar { inline namespace tools { namespace bench {

enum class AttemptEnd : std::uint8_t { finished, preempted };

/// The job, start, end and outcome of every attempt: equal schedules have equal digests,
/// in whatever order their attempts are added.
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

/// The digest of the engine's run, which must finish every job.
[[nodiscard]] AttemptDigest digest_of_engine(const Plan& plan, const PolicyChoice& choice);

}}} // namespace bursar::tools::bench
