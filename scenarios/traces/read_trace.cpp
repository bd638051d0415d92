#include "scenarios/traces/read_trace.hpp"

#include <string>
#include <utility>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/traces/bytes/file_source.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/bytes/prefixed_source.hpp"
#include "scenarios/traces/csv_table.hpp"
#include "scenarios/traces/registry.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar::inline scenarios {
namespace {

constexpr std::size_t header_room = 64 * 1024; // a header line is expected within
constexpr std::string_view mapped_format = "csv";

/// The format that `options` name, or that the beginning of `bytes` tells; `bytes` stays whole.
const TraceFormat& choose_format(std::unique_ptr<ByteSource>& bytes, const TraceOptions& options) {
    if (!options.format.empty() || !options.columns.empty()) {
        const std::string name =
            options.format.empty() ? std::string{mapped_format} : options.format;
        if (const TraceFormat* format = find_trace_format(name))
            return *format;
        fail_option(options, "format", not_a_format(name));
    }
    std::string beginning(header_room, '\0');
    beginning.resize(read_fully(*bytes, beginning));
    if (beginning.empty())
        fail_input(options.file, mistake("the file is empty"));
    const TraceFormat& format = recognise_format(beginning, options.file);
    bytes = std::make_unique<PrefixedSource>(std::move(beginning), std::move(bytes));
    return format;
}

} // namespace

Trace read_trace(const TraceOptions& options) {
    return read_trace(std::make_unique<FileSource>(options.file), options);
}

Trace read_trace(std::unique_ptr<ByteSource> stored, const TraceOptions& options) {
    TraceBuilder builder{options};
    std::unique_ptr<ByteSource> bytes = decompressed(options.file, std::move(stored));
    const TraceFormat& format = choose_format(bytes, options);
    if (!options.columns.empty() && format.name != mapped_format)
        fail_option(options,
                    "columns",
                    mistake("only `format: csv` takes a column map",
                            "the format is " + std::string{format.name}));
    if (format.csv != nullptr)
        read_csv_table(*format.csv, *bytes, builder);
    else
        format.read(*bytes, builder);
    Trace trace = builder.finish();
    trace.format = format.name;
    return trace;
}

} // namespace bursar::inline scenarios
