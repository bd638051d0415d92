#include "scenarios/compile/jobs/row_plans.hpp"

#include <utility>

namespace bursar::inline scenarios {
namespace {

template <class T>
std::uint64_t at(const std::vector<T>& column, std::size_t row) {
    return column.empty() ? 0 : column[row];
}

} // namespace

const RowPlan* RowPlans::find(std::size_t row, std::uint16_t job_class) const {
    const Slot& slot = slots_[place_of(key_of(row, job_class))];
    return slot.plan == 0 ? nullptr : &plans_[slot.plan - 1];
}

void RowPlans::add(std::size_t row, std::uint16_t job_class, const RowPlan& plan) {
    plans_.push_back(plan);
    const Key key = key_of(row, job_class);
    slots_[place_of(key)] = {key, static_cast<std::uint32_t>(plans_.size())};
    if (2 * plans_.size() > slots_.size())
        grow();
}

RowPlans::Key RowPlans::key_of(std::size_t row, std::uint16_t job_class) const {
    return {std::uint64_t{trace_.gpus[row]} << 32U | at(trace_.cpu_milli, row),
            at(trace_.memory_mib, row) << 32U | std::uint64_t{job_class} << 16U |
                at(trace_.gpu_milli, row),
            static_cast<std::uint32_t>(at(trace_.gpu_types, row) << 16U | at(trace_.ran_on, row))};
}

std::size_t RowPlans::place_of(const Key& key) const {
    // Odd numbers spread what differs in low bits over the high ones (Knuth, 6.4).
    std::uint64_t hash = key.gang * 0x9e3779b97f4a7c15U + key.share * 0xc2b2ae3d27d4eb4fU +
                         key.gpu * 0x165667b19e3779f9U;
    hash ^= hash >> 32U;
    std::size_t place = hash & (slots_.size() - 1);
    while (slots_[place].plan != 0 && slots_[place].key != key)
        place = (place + 1) & (slots_.size() - 1);
    return place;
}

void RowPlans::grow() {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    for (const Slot& slot : old)
        if (slot.plan != 0)
            slots_[place_of(slot.key)] = slot;
}

} // namespace bursar::inline scenarios
