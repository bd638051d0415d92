#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/plan/plan.hpp"

#include "tests/properties.hpp"

namespace bursar::test {

/// Any way to save, half of them without the writes and increments that few jobs have. Times in
/// units of `unit_ms`, the interval below `max_interval` of them, so that writes also end behind
/// later saves.
inline void draw_saves(PlanClass& job_class, std::int64_t unit_ms, int max_interval) {
    const auto units = [&](int least, int below) {
        return Duration{unit_ms * drawn::in_range(least, below)};
    };
    job_class.checkpoint = drawn::one_of(Checkpoint::on_preempt,
                                         Checkpoint::none,
                                         Checkpoint::on_notice,
                                         Checkpoint::every,
                                         Checkpoint::every_on_preempt,
                                         Checkpoint::every_on_notice);
    job_class.save = units(0, 4);
    job_class.interval = units(1, max_interval);
    if (drawn::boolean())
        return;
    job_class.write = units(0, 6);
    job_class.full_every = drawn::in_range(1U, 4U);
    job_class.increment = units(0, 3);
    job_class.increment_write = std::min(job_class.write, units(0, 6));
}

} // namespace bursar::test
