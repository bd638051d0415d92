#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/units.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/reader/read_values.hpp"

namespace bursar { inline namespace scenarios {

struct TraceOptions;

/// Places of the options of a trace, each by its path: "select.from". They do not affect the trace,
/// so all compare equal.
class OptionPlaces {
  public:
    void note(std::string option, Written where);
    /// Place of the option, or of the mapping around it; null if neither was written.
    [[nodiscard]] const Written* find(std::string_view option) const;

    bool operator==(const OptionPlaces&) const { return true; }

  private:
    std::map<std::string, Written, std::less<>> written_;
};

/// `finding` at the option's place; at the trace if the option was not written.
[[nodiscard]] Finding
at_option(const TraceOptions& options, std::string_view option, Finding finding);

/// Throws it as the one mistake.
[[noreturn]] void
fail_option(const TraceOptions& options, std::string_view option, Finding finding);

/// The selected rows of a trace; other rows are not checked further.
struct TraceSelect {
    std::optional<CountRange> gpus;
    std::vector<std::string> tenants;  ///< empty: all
    std::optional<std::string> from;   ///< submit at or after: a date ("2017-10-09", "2017-10-09
                                       ///< 12:00:00") in the trace's zone, or with its own (Z)
    std::optional<std::string> to;     ///< submit before; same form as `from`
    std::optional<std::int64_t> first; ///< only the first N (>= 1) selected rows by submit time,
                                       ///< ties in file order; bad rows do not count

    bool operator==(const TraceSelect&) const = default;
};

/// How a trace is changed before the run. Applied in this order: time, load, gpus.
struct TraceScale {
    double time{1.0}; ///< multiplies submit offsets and durations; > 0
    double load{1.0}; ///< divides submit offsets from the first submit; > 0
    double gpus{1.0}; ///< multiplies gang sizes and their CPU and memory; gangs are rounded to at
                      ///< least 1; > 0

    bool operator==(const TraceScale&) const = default;
};

/// The form of submit, start and finish times, where the file does not show it.
enum class WrittenTimes : std::uint8_t {
    as_seen,  ///< dates, or seconds since the trace's zero
    epoch,    ///< seconds since 1970-01-01T00:00Z
    epoch_ms, ///< milliseconds since then
};

inline constexpr std::array<std::string_view, 3> written_times_names{
    "as-seen", "epoch", "epoch-ms"};

class ThroughputTable;

/// How fast types of jobs run on a GPU, for traces that have steps in place of run times.
struct MeasuredSteps {
    std::shared_ptr<const ThroughputTable> table{}; ///< null: not known
    std::string gpu{};                              ///< the catalogue's name; empty: not known
    std::uint64_t hash{};                           ///< of the table

    bool operator==(const MeasuredSteps& other) const {
        return hash == other.hash && gpu == other.gpu;
    }
};

enum class OnBadRow : std::uint8_t { error, skip };

/// Everything that decides how a trace file becomes a Trace.
struct TraceOptions {
    std::string file;   ///< as it will be opened
    std::string format; ///< a name from the registry; empty: recognised by its header
    std::map<std::string, std::string>
        columns; ///< csv: bursar's column -> the file's column; sacct without a header: its
                 ///< column -> the position in the line, from 1
    WrittenTimes times{WrittenTimes::as_seen}; ///< generic csv only
    TraceSelect select;
    TraceScale scale;
    Duration resample{}; ///< length of the blocks that each seed draws (synth/resample.hpp), of
                         ///< the selected and scaled jobs; 0: each seed has the trace itself
    OnBadRow on_bad_row{OnBadRow::error};
    std::optional<std::string> start; ///< instant of a relative trace's zero, ISO-8601
    std::string zone{
        "UTC"}; ///< "UTC", an offset such as "+08:00" or a name, for stamps without a zone
    std::optional<std::int64_t> shards_per_gpu{}; ///< sacct: `shard` or `mps` of one GPU, >= 1
    MeasuredSteps steps{};                        ///< gavel: `workload.speeds` and `workload.gpu`
    OptionPlaces places{}; ///< places of the options, for mistakes that are found with the file

    bool operator==(const TraceOptions&) const = default;
};

}} // namespace bursar::scenarios
