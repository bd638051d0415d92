#include "scenarios/trace_formats/read_trace.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/trace_formats/record_formats.hpp"
#include "scenarios/trace_formats/registry.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_format.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t header_room = 64 * 1024; // a header line is expected within this many bytes
constexpr std::string_view mapped_format = "csv";

/// The beginning of `bytes`, which still delivers it.
std::string look_ahead(std::unique_ptr<ByteSource>& bytes) {
    std::string beginning(header_room, '\0');
    beginning.resize(read_fully(*bytes, beginning));
    bytes = std::make_unique<PrefixedSource>(beginning, std::move(bytes));
    return beginning;
}

/// The format of `options`, else the one recognised from the file's beginning.
const TraceFormat& choose_format(std::string_view beginning, const TraceOptions& options) {
    if (!options.format.empty() || !options.columns.empty() ||
        options.times != WrittenTimes::as_seen) {
        const std::string name =
            options.format.empty() ? std::string{mapped_format} : options.format;
        if (const TraceFormat* format = find_trace_format(name))
            return *format;
        fail_option(options, "format", not_a_format(name));
    }
    if (beginning.empty())
        fail_input(options.file, mistake("the file is empty"));
    return recognise_format(beginning, options.file);
}

void check_csv_options(const TraceFormat& format, const TraceOptions& options) {
    if (format.name == mapped_format)
        return;
    const std::string is = "the format is " + std::string{format.name};
    const bool takes_columns = format.name == sacct_format.name; // positions
    if (!options.columns.empty() && !takes_columns)
        fail_option(options, "columns", mistake("only `format: csv` and `sacct` take columns", is));
    if (options.times != WrittenTimes::as_seen)
        fail_option(
            options, "times", mistake("only `format: csv` takes another form of times", is));
}

} // namespace

Trace read_trace(const TraceOptions& options) {
    return read_trace(std::make_unique<FileSource>(options.file), options);
}

Trace read_trace(std::unique_ptr<ByteSource> stored, const TraceOptions& options) {
    TraceBuilder builder{options};
    std::unique_ptr<ByteSource> bytes = decompressed(options.file, std::move(stored));
    const std::string beginning = look_ahead(bytes);
    const TraceFormat& format = choose_format(beginning, options);
    check_csv_options(format, options);
    if (format.csv != nullptr) {
        CsvTable table = *format.csv;
        table.delimiter = delimiter_in(beginning, table, options);
        read_csv_table(table, *bytes, builder);
    } else {
        format.read(*bytes, builder);
    }
    Trace trace = builder.finish();
    trace.format = format.name;
    if (options.shards_per_gpu && format.name != sacct_format.name)
        trace.notes.push_back(
            at_option(options,
                      "shards_per_gpu",
                      mistake("has no effect", fmt::format("the format is {}", format.name)))
                .text());
    return trace;
}

}} // namespace bursar::scenarios
