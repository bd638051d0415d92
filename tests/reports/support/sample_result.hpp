#pragma once

#include <string>

#include "sim/plan/labels.hpp"
#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

#include "reports/result/result.hpp"

namespace bursar::test {

/// A name that every format must escape.
inline constexpr const char* hostile_name = "a,b\"c\n<script>|x\x1b[31m";

/// A run computed by hand: four hours, 8 owned V100 at 0.95 USD and 2 reserved T4 at 0.35 USD, one
/// minute of start-up per job. GPU-hours:
///
///   job    tenant   GPUs  submit  start  end    pool   held   start-up  work
///   train  vision   4     0:00    0:00   2:00   owned  8      0.0667    7.9333 kept
///   crash  nlp      4     0:10    0:10   1:10   owned  4      0.0667    3.9333 lost, failed
///   hostile third   8     0:30    2:00   3:00   owned  8      0.1333    7.8667 kept
///   long   vision   1     1:00    1:00   -      t4     3      0.0167    2.9833 not durable
///   wide   nlp      8     3:00    3:00   -      owned  8      0.1333    7.8667 not durable
///   late   nlp      8     3:30    -      -
///   quit   vision   1     0:00    0:00   0:01:30 t4    0.025  0.0167    0.0083 lost, cancelled
///
/// Owned idle: 4 free GPUs for 10 min without demand (0.6667), then for 50 min held for `hostile`
/// (3.3333): 32 in all. T4 idle without demand: 8 - 3.025 = 4.975.
Result sample_result();

/// The parts of sample_result.
struct SampleRun {
    Plan plan;
    Labels labels;
    Outcome outcome;
    JobRows rows;
    std::vector<TimelineRow> timeline;
    RunFacts facts;
};
SampleRun sample_run();

} // namespace bursar::test
