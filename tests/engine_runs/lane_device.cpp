#include "tests/engine_runs/lane_device.hpp"

#include <cstring>
#include <stdexcept>
#include <thread>
#include <variant>
#include <vector>

#include "tests/engine_runs/instances.hpp"

namespace bursar::test {

std::byte* LaneDevice::allocate(std::size_t bytes) {
    if (bytes > free_bytes_)
        throw BatchError{"no room"};
    const std::size_t num_units = bytes / sizeof(Unit) + 1;
    Block block{std::make_unique<Unit[]>(num_units), bytes};
    auto* begin = reinterpret_cast<std::byte*>(block.units.get());
    std::memset(begin, 0xa5, num_units * sizeof(Unit)); // what nobody wrote is nobody's zero
    free_bytes_ -= bytes;
    blocks_.emplace(begin, std::move(block));
    return begin;
}

void LaneDevice::release(std::byte* block) {
    free_bytes_ += blocks_.at(block).bytes;
    blocks_.erase(block);
}

void LaneDevice::to_device(std::byte* to, const std::byte* from, std::size_t bytes) {
    check_is_here(to);
    std::memcpy(to, from, bytes);
}

void LaneDevice::from_device(std::byte* to, const std::byte* from, std::size_t bytes) {
    check_is_here(from);
    std::memcpy(to, from, bytes);
}

bool LaneDevice::serves(const EngineChoice& choice) const {
    if (choice.pass == PassKind::allocation) // on the host only
        return false;
    return choice.capacity == CapacityKind::count ||
           choice.pass == PassKind::conservative || // one instance has all its rules
           std::holds_alternative<FixedOrder>(choice.rule);
}

std::size_t LaneDevice::arena_bytes(const EngineChoice& choice,
                                    const PlanView& plan,
                                    const BatchRun& run) const {
    JobOrderView order = run.order;
    each_column(order, JobOrder{}, [&](const auto* pointer, const auto&) {
        if (is_here(pointer))
            throw std::logic_error{"the host cannot read the device's memory"};
    });
    return choice.capacity == CapacityKind::count ? arena_bytes_on_counts(choice, plan, run)
                                                  : arena_bytes_on_nodes(choice, plan, run);
}

void LaneDevice::serve(const EngineChoice& choice, const Batch& batch) {
    ++num_served_;
    for (std::uint32_t i = 0; i < batch.num_runs; ++i)
        check_is_here(batch.runs[i]);
    const auto work = [&](std::uint32_t seat) {
        if (choice.capacity == CapacityKind::count)
            serve_on_counts(choice, batch, seat);
        else
            serve_on_nodes(choice, batch, seat);
    };
    std::vector<std::jthread> others;
    for (std::uint32_t seat = 1; seat < batch.num_teams; ++seat)
        others.emplace_back(work, seat);
    work(0);
}

bool LaneDevice::is_here(const void* pointer) const {
    const auto* at = static_cast<const std::byte*>(pointer);
    auto block = blocks_.upper_bound(at);
    return block != blocks_.begin() && at < (--block)->first + block->second.bytes;
}

void LaneDevice::check_is_here(const void* pointer) const {
    if (pointer != nullptr && !is_here(pointer))
        throw std::logic_error{"a run points out of the device's memory"};
}

void LaneDevice::check_is_here(const BatchRun& run) const {
    check_is_here(run.plan);
    check_is_here(run.answer);
    check_is_here(run.by_slots);
    PlanView plan = *run.plan;
    each_column(plan, Plan{}, [&](const auto* pointer, const auto&) { check_is_here(pointer); });
    JobOrderView order = run.order;
    each_column(
        order, JobOrder{}, [&](const auto* pointer, const auto&) { check_is_here(pointer); });
}

} // namespace bursar::test
