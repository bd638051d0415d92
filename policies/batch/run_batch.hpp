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

/// Whoever runs batches: a device, with memory of its own.
class BatchDevice {
  public:
    BatchDevice() = default;
    virtual ~BatchDevice() = default;
    BatchDevice(const BatchDevice&) = delete;
    BatchDevice& operator=(const BatchDevice&) = delete;

    /// Memory that can still be had, in bytes.
    [[nodiscard]] virtual std::size_t free_bytes() const = 0;
    /// A block, aligned to 256 bytes. Throws BatchError where there is no room.
    [[nodiscard]] virtual std::byte* allocate(std::size_t bytes) = 0;
    virtual void release(std::byte* block) = 0;
    virtual void to_device(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
    virtual void from_device(std::byte* to, const std::byte* from, std::size_t bytes) = 0;

    /// Whether it has what runs a choice.
    [[nodiscard]] virtual bool serves(const EngineChoice& choice) const = 0;
    /// What the arena of a run takes. plan and order: on the host.
    [[nodiscard]] virtual std::size_t
    arena_bytes(const EngineChoice& choice, const PlanView& plan, const BatchRun& run) const = 0;
    /// How many teams of the instance that serves `choice` can work at once.
    [[nodiscard]] virtual std::uint32_t max_teams(const EngineChoice& choice) const = 0;
    /// Has so many teams serve a batch under `choice`, and waits for them.
    virtual void serve(const EngineChoice& choice, const Batch& batch, std::uint32_t teams) = 0;
};

/// What a device cannot do, in one sentence.
class BatchError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// One run that is asked for. Plans and orders are uploaded once however many runs share them.
struct BatchRequest {
    const Plan* plan{};
    const JobOrder* order{}; ///< as order_for() has it for the choice
    PolicyChoice choice{};
    bool keeps_rows{}; ///< of its jobs, as simulate() does under Record::jobs
};

/// Makes all runs on the device, and hands out each as it comes in, by its place in `requests`:
/// equal to what simulate() says, or simulate_ledger() where no rows are kept. Runs of one engine
/// instance go together, those with the largest arenas first, as they take longest, as many at once
/// as there is memory for; one that outgrows its arena, or the room for its rows, is made again in
/// more. Where the plans of all take more than half of the memory, they are made part by part.
///
/// on_refused is told of each run that the device cannot make, and why: it has no room for it, or
/// nothing that runs its policies; empty: the first ends the batch. Throws BatchError where the
/// device fails; what was handed out before stays true.
void run_batch(BatchDevice& device,
               std::span<const BatchRequest> requests,
               const std::function<void(std::size_t i, Run run)>& on_run,
               const std::function<void(std::size_t i, const std::string& why)>& on_refused = {});

}} // namespace bursar::policies
