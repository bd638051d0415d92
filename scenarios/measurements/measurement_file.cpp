#include "scenarios/measurements/measurement_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/csv_reader.hpp"

namespace bursar { inline namespace scenarios {
namespace {

struct KnownHeader {
    MeasurementKind kind;
    std::string_view name;
    std::array<std::string_view, 4> columns; ///< a file with these is of this kind; "": any
};

// The first entry whose columns are all in the file decides, so specific ones come first.
constexpr std::array known_headers{
    KnownHeader{MeasurementKind::collective, "collectives", {"collective", "n_gpus", "bytes"}},
    KnownHeader{MeasurementKind::gemm, "matrix rates", {"gpu", "mamf_tflops"}},
    KnownHeader{MeasurementKind::peaks, "accelerator figures", {"gpu", "fp32_tflops", "mem_tbps"}},
    KnownHeader{
        MeasurementKind::throughput, "throughputs", {"gpu", "num_gpu", "model", "throughput"}},
    KnownHeader{MeasurementKind::facts, "single facts", {"topic", "quantity", "value", "unit"}},
    KnownHeader{MeasurementKind::memory, "memory", {"quantity", "value", "unit", "micro_batch"}},
    KnownHeader{MeasurementKind::repeated_data,
                "losses on repeated data",
                {"params", "tokens", "unique_tokens", "loss"}},
    KnownHeader{MeasurementKind::loss_runs, "losses", {"params", "flops", "loss"}},
    KnownHeader{MeasurementKind::allocation_table, "allocations", {"params", "flops", "approach"}},
    KnownHeader{MeasurementKind::training, "training steps", {"gpu", "gpus", "layers", "hidden"}},
    KnownHeader{MeasurementKind::training, "training steps", {"gpu", "gpus", "step_s"}},
    KnownHeader{MeasurementKind::training, "training steps", {"gpu", "gpus", "model", "framework"}},
};

constexpr std::array<std::string_view, 9> unpublished_words{
    "-", "?", "n/a", "na", "nan", "none", "null", "unknown", "unpublished"};

std::optional<MeasurementKind> kind_of(const MeasurementFile& file) {
    for (const KnownHeader& known : known_headers) {
        if (std::ranges::all_of(known.columns, [&file](std::string_view column) {
                return column.empty() || file.has(column);
            }))
            return known.kind;
    }
    return std::nullopt;
}

MeasurementRow row_of(const TextRow& text, std::size_t num_columns) {
    MeasurementRow row{text.line, {}, std::string{text.problem}};
    for (const std::string_view field : text.fields)
        row.fields.emplace_back(trimmed(field));
    if (row.problem.empty() && row.fields.size() > num_columns)
        row.problem =
            fmt::format("{} fields under a header of {} columns", row.fields.size(), num_columns);
    row.fields.resize(num_columns); // a line that ends early published nothing more
    return row;
}

MeasurementFile read(ByteSource& bytes, const std::string& name) {
    MeasurementFile file;
    file.name = name;
    CsvReader reader{bytes, name};
    const TextRow* header = reader.next();
    if (header == nullptr)
        fail_input(name, mistake("the file is empty", "a header line is needed"));
    for (const std::string_view column : header->fields)
        file.columns.push_back(lower_case(trimmed(column)));
    for (auto column = file.columns.begin(); column != file.columns.end(); ++column)
        if (!column->empty() && std::find(file.columns.begin(), column, *column) != column)
            fail_input({name, header->line, 0}, *column, mistake("two columns have this name"));
    file.kind = kind_of(file);
    while (const TextRow* text = reader.next())
        file.rows.push_back(row_of(*text, file.columns.size()));
    return file;
}

bool is_measurement_name(std::string_view name) {
    return name.ends_with(".csv") || name.ends_with(".csv.gz") || name.ends_with(".csv.zst");
}

} // namespace

std::string_view name(MeasurementKind kind) {
    return std::ranges::find(known_headers, kind, &KnownHeader::kind)->name;
}

bool MeasurementFile::has(std::string_view column) const {
    return std::ranges::find(columns, lower_case(column)) != columns.end();
}

std::string_view MeasurementFile::text(const MeasurementRow& row, std::string_view column) const {
    const auto found = std::ranges::find(columns, lower_case(column));
    if (found == columns.end())
        return {};
    const std::string& field = row.fields[static_cast<std::size_t>(found - columns.begin())];
    return std::ranges::find(unpublished_words, lower_case(field)) == unpublished_words.end()
               ? std::string_view{field}
               : std::string_view{};
}

std::optional<double> MeasurementFile::number(const MeasurementRow& row,
                                              std::string_view column) const {
    const std::string_view field = text(row, column);
    if (field.empty())
        return std::nullopt;
    double value = 0;
    const char* const end = field.data() + field.size();
    const auto [rest, error] = std::from_chars(field.data(), end, value);
    if (error != std::errc{} || rest != end || !std::isfinite(value))
        throw ModelError{std::string{column}, in_quotes(field) + " is not a number", ""};
    return value;
}

std::optional<double> MeasurementFile::positive(const MeasurementRow& row,
                                                std::string_view column) const {
    const std::optional<double> value = number(row, column);
    if (value && !(*value > 0))
        throw ModelError{std::string{column}, fmt::format("{} is not above zero", *value), ""};
    return value;
}

std::optional<std::int64_t> MeasurementFile::count(const MeasurementRow& row,
                                                   std::string_view column) const {
    const std::optional<double> value = positive(row, column);
    if (!value)
        return std::nullopt;
    if (*value != std::floor(*value) || *value > 9e15)
        throw ModelError{std::string{column}, fmt::format("{} is not a whole number", *value), ""};
    return static_cast<std::int64_t>(*value);
}

std::string MeasurementFile::id(const MeasurementRow& row) const {
    const std::string_view given = text(row, "id");
    return given.empty() ? fmt::format("{} line {}", name, row.line) : std::string{given};
}

MeasurementFile read_measurement_file(const std::string& path) {
    const std::unique_ptr<ByteSource> bytes = open_bytes(path);
    return read(*bytes, std::filesystem::path{path}.filename().string());
}

MeasurementFile read_measurement_text(std::string_view text, const std::string& name) {
    MemorySource bytes{text};
    return read(bytes, name);
}

std::vector<std::string> measurement_paths(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (fs::is_regular_file(path, error))
        return {path};
    if (!fs::is_directory(path, error))
        fail_input(path, mistake("no such folder or file"));
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::directory_iterator{path, error})
        if (entry.is_regular_file(error) && is_measurement_name(entry.path().string()))
            found.push_back(entry.path().string());
    if (found.empty())
        fail_input(path, mistake("no measurements here", "files named *.csv are read"));
    std::ranges::sort(found);
    return found;
}

}} // namespace bursar::scenarios
