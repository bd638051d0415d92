#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>

#include "sim/plan/job_order.hpp"
#include "sim/plan/plan.hpp"

#include "policies/batch/batch.hpp"
#include "policies/choice/policy_choice.hpp"
#include "policies/runs/simulate.hpp"

namespace bursar { inline namespace policies {

/// A device that runs batches, with separate memory.
class BatchDevice {
  public:
    BatchDevice() = default;
    virtual ~BatchDevice() = default;
    BatchDevice(const BatchDevice&) = delete;
    BatchDevice& operator=(const BatchDevice&) = delete;

    /// Free memory, in bytes.
    [[nodiscard]] virtual std::size_t free_bytes() const = 0;
    /// A block, aligned to 256 bytes. Throws BatchError when memory is exhausted.
    [[nodiscard]] virtual std::byte* allocate(std::size_t bytes) = 0;
    virtual void release(std::byte* block) = 0;
    virtual void to_device(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
    virtual void from_device(std::byte* to, const std::byte* from, std::size_t bytes) = 0;

    /// Whether it has a kernel for a choice.
    [[nodiscard]] virtual bool serves(const EngineChoice& choice) const = 0;
    /// Bytes of the arena of a run. plan, and the order of the run: on the host.
    [[nodiscard]] virtual std::size_t
    arena_bytes(const EngineChoice& choice, const PlanView& plan, const BatchRun& run) const = 0;
    /// How many teams of the instance that serves `choice` can work at once.
    [[nodiscard]] virtual std::uint32_t max_teams(const EngineChoice& choice) const = 0;
    /// Serves a batch under `choice`, and waits for its teams.
    virtual void serve(const EngineChoice& choice, const Batch& batch) = 0;
};

/// What a device cannot do, in one sentence.
class BatchError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// One requested run. Plans and orders are uploaded once, however many runs share them.
struct BatchRequest {
    const Plan* plan{};
    const JobOrder* order{}; ///< order_for() of the choice
    PolicyChoice choice{};
    bool keeps_rows{}; ///< of its jobs, as simulate() does under Record::jobs
};

/// Runs all requests on the device and passes each result on when it completes, with its index in
/// `requests`. Results equal those of simulate(), or of simulate_ledger() where no rows are kept.
/// Runs of one engine instance share a launch, as many as memory allows; those with the largest
/// arenas first because they take longest. A run that outgrows its arena or the space for its rows
/// is repeated with more. Plans that take more than half of the memory together are processed in
/// parts.
///
/// on_refused: called with each run that the device cannot make, and why (no memory, or no
/// kernel for its policies); empty: the first of them ends the batch. Throws BatchError where the
/// device fails; results passed on before remain valid.
void run_batch(BatchDevice& device,
               std::span<const BatchRequest> requests,
               const std::function<void(std::size_t i, Run run)>& on_run,
               const std::function<void(std::size_t i, const std::string& why)>& on_refused = {});

}} // namespace bursar::policies
