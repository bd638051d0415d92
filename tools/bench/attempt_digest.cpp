#include "tools/bench/attempt_digest.hpp"

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "sim/ledger/bucket_ledger.hpp"

#include "policies/runs/engine_types.hpp"
#include "policies/runs/simulate.hpp"

namespace bursar { inline namespace tools { namespace bench {
namespace {

/// A recorder that adds the attempts of an engine's run to a digest.
class DigestRecorder {
  public:
    explicit DigestRecorder(std::size_t num_jobs) : start_ms_(num_jobs) {}

    void started(JobId job, PoolId, std::uint32_t, std::int64_t now_ms) { start_ms_[job] = now_ms; }
    template <class Grant, class Capacity>
    void placed(JobId, const Grant&, const Capacity&) {}
    void
    stopped(JobId job, StopCause, std::int64_t now_ms, std::int64_t, std::int64_t, std::int64_t) {
        digest_.add(job, start_ms_[job], now_ms, AttemptEnd::preempted);
    }
    void finished(JobId job, std::int64_t now_ms) {
        digest_.add(job, start_ms_[job], now_ms, AttemptEnd::finished);
    }
    void dropped(JobId, std::int64_t) {}
    void waits_for_others(JobId, std::int64_t) {}
    void eligible(JobId, std::int64_t) {}
    static void formed(JobId, const PlanForm&) {}
    void staged(JobId, std::int64_t, std::int64_t, bool) {}
    void reserved(JobId, std::int64_t) {}
    void paid(PoolId, std::int64_t, std::int64_t) {}
    template <class State, class Queue, class Capacity>
    void settled(const State&, const Queue&, const Capacity&) {}

    static BucketLedger* bucket_ledger() { return nullptr; }

    [[nodiscard]] const AttemptDigest& digest() const { return digest_; }

  private:
    std::vector<std::int64_t> start_ms_; ///< by job: of its last attempt
    AttemptDigest digest_;
};

} // namespace

AttemptDigest digest_of_engine(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    DigestRecorder recorder{plan.num_jobs()};
    const Outcome outcome = run_choice_on<CapacityKind::count, DigestRecorder>(
        plan,
        order_for(plan, choice),
        engine_choice(plan, choice),
        workspace,
        [&]() -> DigestRecorder& { return recorder = DigestRecorder{plan.num_jobs()}; });
    if (outcome.num_finished != plan.num_jobs())
        throw std::runtime_error{"the engine left jobs behind"};
    return recorder.digest();
}

}}} // namespace bursar::tools::bench
