#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/trace_formats/record_formats.hpp"
#include "scenarios/trace_formats/sacct_records.hpp"
#include "scenarios/traces/text/line_reader.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::string_view name_letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

constexpr std::array<std::string_view, 2> job_names{"JobID", "JobIDRaw"};
constexpr std::array<std::string_view, 1> submit_names{"Submit"};
constexpr std::array<std::string_view, 1> start_names{"Start"};
constexpr std::array<std::string_view, 1> end_names{"End"};
constexpr std::array<std::string_view, 2> elapsed_names{"Elapsed", "ElapsedRaw"};
constexpr std::array<std::string_view, 1> state_names{"State"};
constexpr std::array<std::string_view, 2> tres_names{"AllocTRES", "ReqTRES"};
constexpr std::array<std::string_view, 2> tenant_names{"Account", "User"};
constexpr std::array<std::string_view, 2> limit_names{"Timelimit", "TimelimitRaw"};

/// The delimiter of a header: the character after its first column.
std::string_view delimiter_of(std::string_view header) {
    const std::size_t at = header.find_first_not_of(name_letters);
    if (at == std::string_view::npos)
        return {};
    const std::size_t next = header.find_first_of(name_letters, at);
    return header.substr(at, next == std::string_view::npos ? 1 : next - at);
}

void split(std::string_view line, std::string_view by, std::vector<std::string_view>& fields) {
    fields.clear();
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t end = std::min(by.empty() ? line.npos : line.find(by, at), line.size());
        fields.push_back(line.substr(at, end - at));
        at = end + std::max<std::size_t>(by.size(), 1);
    }
}

std::optional<std::size_t> find_column(const std::vector<std::string>& header,
                                       std::span<const std::string_view> names) {
    for (const std::string_view name : names) {
        const auto found = std::ranges::find(header, name);
        if (found != header.end())
            return static_cast<std::size_t>(found - header.begin());
    }
    return std::nullopt;
}

/// The columns of one file.
class SacctColumns {
  public:
    SacctColumns(std::vector<std::string> header, const std::string& file)
        : header_{std::move(header)}, file_{file} {
        read_as_.resize(header_.size());
    }

    SacctFields find() {
        SacctFields fields;
        fields.job = require(job_names, "job");
        fields.submit = require(submit_names, "submit");
        fields.elapsed = require(elapsed_names, "duration");
        fields.elapsed_is_raw = header_[fields.elapsed] == "ElapsedRaw";
        fields.state = require(state_names, "state");
        fields.tres = require(tres_names, "gpus, cpu_milli, memory_mib");
        fields.start = note(find_column(header_, start_names), "start");
        fields.end = note(find_column(header_, end_names), "finish");
        fields.tenant = note(find_column(header_, tenant_names), "tenant");
        fields.limit = note(find_column(header_, limit_names), "requested_time");
        fields.limit_is_raw = fields.limit && header_[*fields.limit] == "TimelimitRaw";
        return fields;
    }

    [[nodiscard]] const std::vector<std::string>& names() const { return header_; }
    void tell(TraceBuilder& trace) const {
        for (std::size_t i = 0; i < header_.size(); ++i)
            trace.note_column(header_[i], read_as_[i]);
    }

  private:
    std::optional<std::size_t> note(std::optional<std::size_t> column, std::string_view read_as) {
        if (column)
            read_as_[*column] = read_as;
        return column;
    }

    std::size_t require(std::span<const std::string_view> names, std::string_view read_as) {
        if (const auto found = note(find_column(header_, names), read_as))
            return *found;
        fail_input({file_, 1, 0},
                   std::string{names.front()},
                   mistake("no such column",
                           fmt::format("columns found: {}", listed_names(header_)),
                           fmt::format("have sacct print it: --format={},...", names.front())));
    }

    std::vector<std::string> header_;
    const std::string& file_;
    std::vector<std::string_view> read_as_;
};

} // namespace

bool begins_like_sacct(std::string_view beginning) {
    const std::string_view first_line = first_line_of(beginning);
    std::vector<std::string_view> fields;
    split(first_line, delimiter_of(first_line), fields);
    const std::vector<std::string> header{fields.begin(), fields.end()};
    return find_column(header, job_names) && find_column(header, elapsed_names) &&
           find_column(header, state_names);
}

void read_sacct(ByteSource& bytes, TraceBuilder& trace) {
    const std::string& file = trace.options().file;
    LineReader reader{bytes, file};
    const std::optional<std::string_view> first = reader.next();
    if (!first)
        fail_input(file, mistake("the file is empty", "a header line is needed"));
    const std::string header{*first};
    const std::string delimiter{delimiter_of(header)};
    std::vector<std::string_view> fields;
    split(header, delimiter, fields);
    // --parsable, unlike --parsable2, ends each line with a delimiter.
    const bool ends_open = fields.size() > 1 && fields.back().empty();
    fields.resize(fields.size() - (ends_open ? 1 : 0));
    SacctColumns columns{{fields.begin(), fields.end()}, file};
    SacctRecords records{columns.find(), columns.names(), trace};
    columns.tell(trace);
    while (const std::optional<std::string_view> line = reader.next()) {
        if (line->empty() || *line == header) // concatenated files
            continue;
        split(*line, delimiter, fields);
        if (ends_open && fields.size() > 1 && fields.back().empty())
            fields.pop_back();
        records.take({fields, reader.line(), line->data(), {}, {}, {}});
    }
    records.finish();
}

}} // namespace bursar::scenarios
