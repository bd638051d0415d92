#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace scenarios {

/// Which field of a row holds what. Absent: the file does not say.
struct TraceColumns {
    std::size_t submit{};
    std::optional<std::size_t> duration; ///< run time; absent: finish minus start, or submit
    std::optional<std::size_t> start{};  ///< same form as submit; read only without `duration`
    std::optional<std::size_t> finish;   ///< same form as submit; read only without `duration`
    std::size_t gpus{};
    std::optional<std::size_t> gpu_milli;
    std::optional<std::size_t> cpu_milli{};  ///< thousandths of a core, of the whole job
    std::optional<std::size_t> memory_mib{}; ///< main memory, of the whole job
    std::optional<std::size_t> gpu_types;    ///< names with bars between; empty: any
    std::optional<std::size_t> ran_on{};     ///< GPU that the run time was measured on
    std::optional<std::size_t> tenant;
    std::optional<std::size_t> name;
    std::optional<std::size_t> state;
    std::optional<std::size_t> asked{};    ///< time its user asked for; empty or negative: unsaid
    std::optional<std::size_t> priority{}; ///< a whole number, higher is more important
};

/// How submit and finish times are written.
enum class TimeForm : std::uint8_t {
    seconds,  ///< a decimal number of seconds since the trace's own zero
    stamp,    ///< a date and time
    epoch,    ///< a decimal number of seconds since 1970-01-01T00:00Z
    epoch_ms, ///< a decimal number of milliseconds since then
    either    ///< decided by the first row for the whole file
};

/// A word of a trace's state column and what it says became of the job.
struct StateWord {
    std::string_view word;
    JobEnd end{};
};

}} // namespace bursar::scenarios
