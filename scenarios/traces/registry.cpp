#include "scenarios/traces/registry.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/traces/bytes/memory_source.hpp"
#include "scenarios/traces/csv_columns.hpp"
#include "scenarios/traces/formats/arrival_csv.hpp"
#include "scenarios/traces/formats/generic_csv.hpp"
#include "scenarios/traces/formats/helios_csv.hpp"
#include "scenarios/traces/formats/openb_csv.hpp"
#include "scenarios/traces/formats/philly_csv.hpp"
#include "scenarios/traces/formats/swf.hpp"
#include "scenarios/traces/formats/tiresias_csv.hpp"
#include "scenarios/traces/text/csv_reader.hpp"

namespace bursar {
namespace {

// The only list; a new format is its file, its include and its row.
constexpr std::array formats{
    TraceFormat{.name = "csv",
                .summary = "any CSV; `columns` maps job, submit, duration, gpus, tenant, state, "
                           "gpu_milli, gpu_type, cpu_milli, memory_mib, priority to its columns",
                .told_by = "submit,duration,gpus",
                .read = read_generic_csv,
                .write = write_generic_csv,
                .holds = {.dates = true,
                          .names = true,
                          .tenants = true,
                          .states = true,
                          .gpu_milli = true,
                          .gpu_types = true,
                          .cpu_and_memory = true,
                          .priorities = true}},
    TraceFormat{.name = "philly-csv",
                .summary = "Microsoft Philly as Pollux and Sia use it: timestamp, duration, "
                           "num_gpus, cluster",
                .told_by = "timestamp,duration,num_gpus",
                .read = read_philly_csv,
                .write = write_philly_csv,
                .holds = {.dates = true, .names = true, .tenants = true}},
    TraceFormat{.name = "helios-csv",
                .summary =
                    "SenseTime Helios cluster_log: vc, gpu_num, state, submit_time, duration",
                .told_by = "vc,gpu_num,state,submit_time,duration",
                .read = read_helios_csv,
                .write = write_helios_csv,
                .holds = {.dates = true, .names = true, .tenants = true, .states = true}},
    TraceFormat{.name = "arrival-csv",
                .summary = "four columns: job_id, arrival_s, service_sec, gpu_count",
                .told_by = "arrival_s,service_sec,gpu_count",
                .read = read_arrival_csv,
                .write = write_arrival_csv,
                .holds = {.names = true}},
    TraceFormat{.name = "openb-csv",
                .summary = "Alibaba openb pods: num_gpu, gpu_milli, gpu_spec, cpu_milli, "
                           "memory_mib, creation_time, deletion_time",
                .told_by = "num_gpu,gpu_milli",
                .read = read_openb_csv},
    TraceFormat{.name = "tiresias-csv",
                .summary = "Tiresias jobs: job_id, num_gpu, submit_time, duration",
                .told_by = "num_gpu,submit_time,duration",
                .read = read_tiresias_csv},
    TraceFormat{.name = "swf",
                .summary = "Standard Workload Format: 18 numbers a line, processors taken as GPUs",
                .told_by = "",
                .read = read_swf,
                .write = write_swf,
                .holds = {.dates = true, .names = true, .tenants = true, .states = true},
                .begins_like = begins_like_swf},
};

std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const TraceFormat& format : formats)
        out.emplace_back(format.name);
    return out;
}

using SameName = bool (*)(std::string_view, std::string_view);

bool same_but_for_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(
        a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool has_columns(
    std::span<const std::string_view> header,
    std::string_view wanted,
    SameName same = [](std::string_view a, std::string_view b) { return a == b; }) {
    while (!wanted.empty()) {
        const std::size_t comma = std::min(wanted.find(','), wanted.size());
        const std::string_view name = wanted.substr(0, comma);
        if (std::ranges::none_of(header, [&](std::string_view h) { return same(h, name); }))
            return false;
        wanted.remove_prefix(std::min(comma + 1, wanted.size()));
    }
    return true;
}

/// What to do about a header that no format has.
std::string header_hint(std::span<const std::string_view> header, std::string_view first_line) {
    if (std::string hint = separator_hint(first_line); !hint.empty())
        return hint;
    for (const TraceFormat& format : formats)
        if (format.begins_like == nullptr && has_columns(header, format.told_by, same_but_for_case))
            return fmt::format(
                "{} names its columns {}; capitals matter", format.name, format.told_by);
    return "name the format, or map the columns with `format: csv` and `columns`";
}

} // namespace

std::span<const TraceFormat> trace_formats() {
    return formats;
}

const TraceFormat& trace_format(std::string_view name, const std::string& file) {
    const auto* const found = std::ranges::find(formats, name, &TraceFormat::name);
    if (found == formats.end())
        fail_input({file, 0, 0},
                   "format",
                   mistake(in_quotes(name) + " is no trace format", {}, suggestion(name, names())));
    return *found;
}

const TraceFormat& recognise_format(std::string_view beginning, const std::string& file) {
    const std::string_view first_line = beginning.substr(0, beginning.find('\n'));
    for (const TraceFormat& format : formats)
        if (format.begins_like != nullptr && format.begins_like(first_line))
            return format;
    MemorySource bytes{beginning};
    CsvReader reader{bytes, file};
    std::string hint = header_hint({}, first_line);
    if (const TextRow* header = reader.next()) {
        for (const TraceFormat& format : formats)
            if (format.begins_like == nullptr && has_columns(header->fields, format.told_by))
                return format;
        hint = header_hint(header->fields, first_line);
    }
    fail_input({file, 1, 0},
               "format",
               mistake("not recognised by the header line " + in_quotes(first_line),
                       fmt::format("formats: {}", fmt::join(names(), ", ")),
                       std::move(hint)));
}

} // namespace bursar
