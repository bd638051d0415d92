#include "scenarios/measurements/measured_memory.hpp"

#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {

double MeasuredMemory::of(const MemoryUse& use) const {
    switch (count) {
    case MemoryCount::allocated:
        return use.allocated().count() / unit;
    case MemoryCount::reserved:
        return use.reserved().count() / unit;
    case MemoryCount::whole:
        break;
    }
    return use.total().count() / unit;
}

MeasuredMemory measured_memory(const TrainingMeasurement& row, Assumptions& assumptions) {
    const std::string notes = lower_case(row.notes);
    // torchtitan prints the most that was reserved, in GiB (components/metrics.py, read 2026-11).
    const bool torchtitan = contains(lower_case(row.framework), "torchtitan");
    MeasuredMemory memory;
    if (contains(notes, "gib") || torchtitan)
        memory.unit = bytes_per_gib;
    if (contains(notes, "reserved") || torchtitan)
        memory.count = MemoryCount::reserved;
    else if (contains(notes, "allocated"))
        memory.count = MemoryCount::allocated;
    else
        assumptions.emplace_back("memory: of the whole GPU");
    return memory;
}

}} // namespace bursar::scenarios
