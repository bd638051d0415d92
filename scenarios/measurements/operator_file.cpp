#include "scenarios/measurements/operator_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/measurements/collective_measurement.hpp"
#include "scenarios/measurements/measured_gpu.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/csv_header.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr double us = 1e-6;
constexpr double tera = 1e12;

/// The row at hand of an operator file, by column.
class OperatorRow {
  public:
    OperatorRow(const std::string& path, CsvReader& reader, const CsvHeader& header)
        : path_{path}, reader_{reader}, header_{header} {}

    /// Takes the next row; false at the end of the file. Throws ScenarioError if it is malformed.
    bool next() {
        row_ = reader_.next();
        if (row_ != nullptr && !row_->problem.empty())
            fail_input({path_, row_->problem_place.line, row_->problem_place.column},
                       {},
                       mistake(std::string{row_->problem}));
        return row_ != nullptr;
    }

    /// Empty: no such column, or nothing in it.
    [[nodiscard]] std::string_view text(std::string_view column) const {
        const auto field = header_.find(column);
        return field && *field < row_->fields.size() ? row_->fields[*field] : std::string_view{};
    }

    [[nodiscard]] bool has(std::string_view column) const { return !text(column).empty(); }

    /// Throws ScenarioError if it is missing, no number or not above zero.
    [[nodiscard]] double positive(std::string_view column) const {
        const std::size_t field = header_.require(column);
        const double value = number_in(*row_, field, column, reader_);
        if (!(value > 0) || value > 1e18)
            fail(column, mistake("is not above zero", {}, "remove the row"));
        return value;
    }

    [[noreturn]] void fail(std::string_view column, Finding finding) const {
        const auto field = header_.find(column);
        const FieldPlace place = row_->place(field.value_or(0));
        fail_input({path_, place.line, place.column}, std::string{column}, std::move(finding));
    }

    /// "operators.csv line 7"
    [[nodiscard]] std::string source() const {
        return fmt::format(
            "{} line {}", std::filesystem::path{path_}.filename().string(), row_->line);
    }

  private:
    const std::string& path_;
    CsvReader& reader_;
    const CsvHeader& header_;
    const TextRow* row_{};
};

Precision precision_of(const OperatorRow& row) {
    const std::string_view text = row.text("precision");
    if (text.empty())
        return Precision::bf16;
    const std::string_view format = text.substr(0, text.find('-')); // fp8-e4m3
    if (const auto found = find_precision(format))
        return *found;
    row.fail("precision",
             none_named("no format is",
                        std::string{text},
                        std::vector<std::string>{precision_names.begin(), precision_names.end()}));
}

/// m, n and k of "8192x4096x1024".
std::array<double, 3> shape_of(const OperatorRow& row) {
    constexpr std::string_view column = "best_shape_MxNxK";
    if (!row.has(column))
        return {row.positive("m"), row.positive("n"), row.positive("k")};
    std::array<double, 3> sizes{};
    std::string_view rest = row.text(column);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), sizes[i]);
        const char* const end = rest.data() + rest.size();
        const bool is_last = i + 1 == sizes.size();
        if (read.ec != std::errc{} || !(sizes[i] > 0) ||
            (is_last ? read.ptr != end : read.ptr == end || *read.ptr != 'x'))
            row.fail(column, mistake("is no shape", {}, "write it as 8192x4096x1024"));
        if (!is_last)
            rest = {read.ptr + 1, end};
    }
    return sizes;
}

FlopRate rate_of(const OperatorRow& row, double flops) {
    for (const std::string_view column : {"tflops", "mamf_tflops"})
        if (row.has(column))
            return FlopRate{row.positive(column) * tera};
    return FlopRate{flops / (row.positive("time_us") * us)};
}

/// Adds a kernel, or takes the geometric mean with those of the same shape, which repeat it.
void add_kernel(std::vector<MeasuredKernel<3>>& kernels, MeasuredKernel<3> kernel) {
    const auto known = std::ranges::find(kernels, kernel.sizes, &MeasuredKernel<3>::sizes);
    if (known == kernels.end()) {
        kernels.push_back(std::move(kernel));
        return;
    }
    const double n = ++known->repeats;
    known->rate =
        FlopRate{std::pow(known->rate.count(), (n - 1) / n) * std::pow(kernel.rate.count(), 1 / n)};
}

void add_attention(const OperatorRow& row, MeasuredKernels& kernels) {
    const double tokens = row.positive("seq");
    const double heads = row.positive("heads") * row.positive("batch");
    const double size = row.positive("head_dim");
    const std::string_view causal = row.text("causal");
    if (!causal.empty() && causal != "yes" && causal != "no")
        row.fail("causal", mistake(in_quotes(causal) + " is neither yes nor no"));
    const bool half = causal != "no";
    const double flops = 4 * heads * tokens * tokens * size * (half ? 0.5 : 1.0);
    add_kernel(half ? kernels.causal : kernels.square,
               {{tokens, heads, size}, rate_of(row, flops), row.source()});
}

using Group = MeasuredCollectives::Group;

/// The times of every size of a group, and the place of the first.
struct GroupTimes {
    std::map<double, std::vector<double>> of_size;
    std::string source;
};
using Sizes = std::map<Group, GroupTimes>;

double geometric_mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values)
        sum += std::log(value);
    return std::exp(sum / static_cast<double>(values.size()));
}

/// From `time_us`, else from the bus or algorithm bandwidth.
double time_of(const OperatorRow& row, const Group& group, double bytes) {
    const double factor = bus_factor(group.kind, group.ranks);
    if (!row.has("time_us")) {
        if (row.has("busbw_GBps"))
            return bytes * factor / (row.positive("busbw_GBps") * 1e9);
        if (row.has("algbw_GBps"))
            return bytes / (row.positive("algbw_GBps") * 1e9);
    }
    return row.positive("time_us") * us;
}

void add_collective(const OperatorRow& row, const Gpu& gpu, Sizes& sizes) {
    Group group;
    try {
        group.kind = stated_collective(row.text("collective"));
    } catch (const ModelError& error) {
        row.fail("collective", mistake(error.problem(), {}, "e.g. all_reduce"));
    }
    const auto whole = [&row](std::string_view column) {
        const double value = row.positive(column);
        const auto count = static_cast<std::int64_t>(value);
        if (static_cast<double>(count) != value)
            row.fail(column, mistake("is not whole"));
        return count;
    };
    group.ranks = whole("n_gpus");
    const std::int64_t nodes = row.has("nodes") ? whole("nodes") : 1;
    if (group.ranks % nodes != 0)
        row.fail("nodes", mistake("the GPUs are not spread evenly over them"));
    group.domains = group.ranks <= gpu.scaleup_domain.value_or(0) ? 1 : nodes;
    GroupTimes& times = sizes[group];
    if (times.source.empty())
        times.source = row.source();
    const double bytes = row.positive("bytes");
    times.of_size[bytes].push_back(time_of(row, group, bytes));
}

/// Whether a row is of `gpu`; those that name none are.
bool is_of(const OperatorRow& row, const Gpu& gpu, const Catalogue& catalogue) {
    if (!row.has("gpu"))
        return true;
    Assumptions guesses;
    try {
        return measured_gpu(row.text("gpu"), std::nullopt, catalogue, guesses).name == gpu.name;
    } catch (const ModelError&) { // a GPU that the catalogue lacks
        return false;
    }
}

} // namespace

void OperatorTable::attach_to(Cluster& cluster, const std::shared_ptr<OperatorLog>& log) const {
    auto kernels = std::make_shared<MeasuredOperators>(operators);
    for (MeasuredKernels& of_format : kernels->kernels)
        of_format.log = log;
    auto links = std::make_shared<MeasuredCollectives>(collectives);
    links->log = log;
    cluster.operators = std::move(kernels);
    cluster.tree.measured = std::move(links);
}

namespace {

void add_once(std::vector<std::string>& names, std::string_view name) {
    if (std::ranges::find(names, name) == names.end())
        names.emplace_back(name);
}

} // namespace

std::vector<std::string> gpus_of_operators(const std::string& path) {
    const auto bytes = open_bytes(path);
    CsvReader reader{*bytes, path};
    const CsvHeader header{reader};
    OperatorRow row{path, reader, header};
    std::vector<std::string> gpus;
    while (row.next())
        if (row.has("gpu"))
            add_once(gpus, row.text("gpu"));
    return gpus;
}

OperatorTable read_operators(const std::string& path, const Gpu& gpu, const Catalogue& catalogue) {
    const auto bytes = open_bytes(path);
    CsvReader reader{*bytes, path};
    const CsvHeader header{reader};
    OperatorRow row{path, reader, header};
    OperatorTable table;
    for (std::size_t i = 0; i < precision_names.size(); ++i)
        table.operators.kernels[i].format = precision_names[i];
    Sizes sizes;
    while (row.next()) {
        if (!is_of(row, gpu, catalogue)) {
            add_once(table.others, row.text("gpu"));
            continue;
        }
        ++table.rows;
        if (row.has("collective")) {
            if (!row.has("bytes")) { // a peak bandwidth of no stated size
                --table.rows;
                continue;
            }
            add_collective(row, gpu, sizes);
            continue;
        }
        MeasuredKernels& kernels =
            table.operators.kernels[static_cast<std::size_t>(precision_of(row))];
        if (row.has("seq")) {
            add_attention(row, kernels);
            continue;
        }
        const std::array<double, 3> shape = shape_of(row);
        add_kernel(kernels.products,
                   {shape, rate_of(row, 2 * shape[0] * shape[1] * shape[2]), row.source()});
    }
    for (const auto& [group, series] : sizes) {
        std::vector<MeasuredPoint> points;
        for (const auto& [size, times] : series.of_size)
            points.push_back({ByteVolume{size}, Seconds{geometric_mean(times)}});
        table.collectives.add(group, {MeasuredCurve{std::move(points)}, series.source});
    }
    return table;
}

}} // namespace bursar::scenarios
