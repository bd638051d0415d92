#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/perfetto/trace_packets.hpp"
#include "reports/result/attempt_phases.hpp"
#include "reports/result/result.hpp"
#include "reports/result/result_attempt.hpp"

namespace bursar { inline namespace reports {

/// An attempt as a slice, named like its job. Its category is the cause of its end.
class AttemptSlice {
  public:
    AttemptSlice(const Result& result, const ResultAttempt& attempt, std::string name);
    AttemptSlice(const AttemptSlice&) = delete;

    [[nodiscard]] TraceSlice slice() const { return {name_, {&category_, 1}, notes_, flow_}; }

  private:
    std::string name_;
    std::string_view category_;
    std::array<TraceNote, 4> notes_;
    std::uint64_t flow_;
};

/// A phase of an attempt as a slice. Its categories are its leaves, the longest first, which is
/// also its name. Its notes have the GPU-hours of each leaf, over the whole gang.
class PhaseSlice {
  public:
    PhaseSlice(const Result& result, const ResultAttempt& attempt, const AttemptPhase& phase);

    [[nodiscard]] TraceSlice slice() const { return {categories_.front(), categories_, notes_, 0}; }

  private:
    std::vector<std::string_view> categories_;
    std::vector<TraceNote> notes_;
};

}} // namespace bursar::reports
