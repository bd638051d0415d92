#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace scenarios {

/// The kind of a file of published measurements; its header line decides, never its name.
enum class MeasurementKind : std::uint8_t {
    training,         ///< step times, throughputs or memory of laid-out training jobs
    collective,       ///< times or bandwidths of collectives
    memory,           ///< bytes of one quantity of one setting
    throughput,       ///< samples per second of named workloads by GPU
    gemm,             ///< best matrix rates reached
    peaks,            ///< vendors' figures of accelerators
    facts,            ///< single published figures: checkpoints, failures, energy
    allocation_table, ///< parameters and tokens by compute budget
    loss_runs,        ///< final losses of training runs
    repeated_data     ///< the same on data that repeats
};

[[nodiscard]] std::string_view name(MeasurementKind kind);

/// One row: its fields without surrounding blanks, as many as the header has columns.
struct MeasurementRow {
    std::uint64_t line{}; ///< of its first byte; counts from 1
    std::vector<std::string> fields;
    std::string problem; ///< why the row is not well formed; empty when it is
};

/// A file of published measurements: the columns it has, in any order, and its rows.
struct MeasurementFile {
    std::string name; ///< without folders
    std::vector<std::string> columns;
    std::vector<MeasurementRow> rows;
    std::optional<MeasurementKind> kind; ///< absent: no known header

    /// The field of `row` in `column`; empty if the file has no such column or the field means
    /// "not published" ("", "-", "n/a", "unpublished", ...).
    [[nodiscard]] std::string_view text(const MeasurementRow& row, std::string_view column) const;

    /// The number there; absent where text() is empty. Throws ModelError naming the column where
    /// the field is no finite number.
    [[nodiscard]] std::optional<double> number(const MeasurementRow& row,
                                               std::string_view column) const;

    /// As number(), and above zero: ModelError otherwise.
    [[nodiscard]] std::optional<double> positive(const MeasurementRow& row,
                                                 std::string_view column) const;

    /// As positive(), and whole.
    [[nodiscard]] std::optional<std::int64_t> count(const MeasurementRow& row,
                                                    std::string_view column) const;

    /// The row's `id`, or "NAME line N".
    [[nodiscard]] std::string id(const MeasurementRow& row) const;

    [[nodiscard]] bool has(std::string_view column) const;
};

/// Reads `path`: RFC 4180, any order of columns, unknown columns allowed; gzip and zstd too. Throws
/// ScenarioError when it cannot be read as such. A malformed row is kept with its problem.
MeasurementFile read_measurement_file(const std::string& path);

/// The same for a text; messages call it `name`.
MeasurementFile read_measurement_text(std::string_view text, const std::string& name);

/// The *.csv files of the folder `path` (also .csv.gz and .csv.zst), by name; or the file `path`
/// itself. Throws ScenarioError when there is none.
std::vector<std::string> measurement_paths(const std::string& path);

}} // namespace bursar::scenarios
