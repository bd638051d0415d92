#include "scenarios/trace_formats/sacct_columns.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/traces/text/numbers.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::string_view name_letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/// Delimiters of a file without a header, in the order in which they are tried.
constexpr std::string_view delimiters_without_header = "|,;\t";

constexpr std::array<std::string_view, 2> job_names{"JobID", "JobIDRaw"};
constexpr std::array<std::string_view, 1> submit_names{"Submit"};
constexpr std::array<std::string_view, 1> start_names{"Start"};
constexpr std::array<std::string_view, 1> end_names{"End"};
constexpr std::array<std::string_view, 2> elapsed_names{"Elapsed", "ElapsedRaw"};
constexpr std::array<std::string_view, 1> state_names{"State"};
constexpr std::array<std::string_view, 3> tres_names{"AllocTRES", "ReqTRES", "AllocGRES"};
constexpr std::array<std::string_view, 2> cpu_names{"AllocCPUS", "NCPUS"};
constexpr std::array<std::string_view, 2> tenant_names{"Account", "User"};
constexpr std::array<std::string_view, 2> limit_names{"Timelimit", "TimelimitRaw"};
constexpr std::array<std::string_view, 1> exit_names{"ExitCode"}; // default `sacct` has it

constexpr std::array<std::span<const std::string_view>, 10> all_names{job_names,
                                                                      submit_names,
                                                                      start_names,
                                                                      end_names,
                                                                      elapsed_names,
                                                                      state_names,
                                                                      tres_names,
                                                                      cpu_names,
                                                                      tenant_names,
                                                                      limit_names};

/// The delimiter of a header: the characters after its first column.
std::string_view delimiter_of(std::string_view header) {
    const std::size_t at = header.find_first_not_of(name_letters);
    if (at == std::string_view::npos)
        return {};
    const std::size_t next = header.find_first_of(name_letters, at);
    return header.substr(at, next == std::string_view::npos ? 1 : next - at);
}

/// The delimiter of a line of fields; empty if it has none.
std::string_view delimiter_in_line(std::string_view line) {
    for (const char& delimiter : delimiters_without_header)
        if (line.find(delimiter) != std::string_view::npos)
            return {&delimiter, 1};
    return {};
}

void split_by(std::string_view line, std::string_view by, std::vector<std::string_view>& fields) {
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

std::vector<std::string> header_of(std::string_view line) {
    std::vector<std::string_view> fields;
    split_by(line, delimiter_of(line), fields);
    return {fields.begin(), fields.end()};
}

/// Puts the names of `options.columns` at their positions in `names`.
void place_names(const TraceOptions& options, std::vector<std::string>& names) {
    std::vector<std::string> known;
    for (const auto& alternatives : all_names)
        known.insert(known.end(), alternatives.begin(), alternatives.end());
    for (const auto& [name, position] : options.columns) {
        const std::string option = "columns." + name;
        if (std::ranges::find(known, name) == known.end())
            fail_option(options,
                        option,
                        mistake("not a column of sacct that is read", {}, suggestion(name, known)));
        const std::optional<std::int64_t> at = parse_count(position);
        if (!at || *at < 1 || static_cast<std::size_t>(*at) > names.size())
            fail_option(options,
                        option,
                        mistake(in_quotes(position) + " is not the position of a field",
                                fmt::format("the first line has {} fields", names.size())));
        std::string& here = names[static_cast<std::size_t>(*at) - 1];
        if (!here.empty())
            fail_option(options, option, mistake("at the same position as " + here));
        here = name;
    }
}

/// Finds the columns of a table, and notes what they are read as and which are missing.
class ColumnSearch {
  public:
    explicit ColumnSearch(SacctTable& table) : table_{table} {}

    std::optional<std::size_t> find(std::span<const std::string_view> names,
                                    std::string_view read_as) {
        const auto column = find_column(table_.names, names);
        if (column)
            table_.read_as[*column] = read_as;
        return column;
    }
    std::size_t require(std::span<const std::string_view> names, std::string_view read_as) {
        const auto column = find(names, read_as);
        if (!column)
            missing_.push_back(names.front());
        return column.value_or(0);
    }
    [[nodiscard]] const std::vector<std::string_view>& missing() const { return missing_; }

  private:
    SacctTable& table_;
    std::vector<std::string_view> missing_;
};

[[noreturn]] void fail_missing(const SacctTable& table,
                               const std::vector<std::string_view>& missing,
                               const TraceOptions& options) {
    const std::string names = fmt::format("{}", fmt::join(missing, ", "));
    const bool one = missing.size() == 1;
    if (!table.has_header)
        fail_option(options,
                    "columns",
                    mistake(fmt::format("no position of {}", names),
                            "a file without a header needs those of JobID, Submit, Elapsed, "
                            "State and AllocTRES"));
    fail_input(
        {options.file, 1, 0},
        names,
        mistake(one ? "no such column" : "no such columns",
                fmt::format("columns found: {}", listed_names(table.names)),
                fmt::format("have sacct print {}: {}", one ? "it" : "them", sacct_format_option)));
}

} // namespace

void SacctTable::split(std::string_view line, std::vector<std::string_view>& into) const {
    split_by(line, delimiter, into);
    if (ends_open && into.size() > 1 && into.back().empty())
        into.pop_back();
}

SacctTable sacct_table(std::string_view first_line, const TraceOptions& options) {
    SacctTable table;
    std::vector<std::string_view> fields;
    table.has_header = options.columns.empty();
    if (!table.has_header && is_sacct_header(first_line))
        fail_option(options,
                    "columns",
                    mistake("the file has a header",
                            "positions are for `sacct --noheader`",
                            "leave them out"));
    table.delimiter = table.has_header ? delimiter_of(first_line) : delimiter_in_line(first_line);
    split_by(first_line, table.delimiter, fields);
    if (table.has_header) {
        table.ends_open = fields.size() > 1 && fields.back().empty();
        fields.resize(fields.size() - (table.ends_open ? 1 : 0));
        table.names.assign(fields.begin(), fields.end());
    } else {
        table.names.resize(fields.size());
        place_names(options, table.names);
    }
    table.read_as.resize(table.names.size());

    ColumnSearch columns{table};
    SacctFields& found = table.fields;
    found.job = columns.require(job_names, "job");
    found.submit = columns.require(submit_names, "submit");
    found.elapsed = columns.require(elapsed_names, "duration");
    found.elapsed_is_raw = table.names[found.elapsed] == "ElapsedRaw";
    found.state = columns.require(state_names, "state");
    found.tres = columns.require(tres_names, "gpus, cpu_milli, memory_mib");
    found.tres_is_gres = table.names[found.tres] == "AllocGRES";
    found.start = columns.find(start_names, "start");
    found.end = columns.find(end_names, "finish");
    found.tenant = columns.find(tenant_names, "tenant");
    found.limit = columns.find(limit_names, "requested_time");
    found.limit_is_raw = found.limit && table.names[*found.limit] == "TimelimitRaw";
    if (!columns.missing().empty())
        fail_missing(table, columns.missing(), options);
    if (found.tres_is_gres) { // it has no cores
        table.read_as[found.tres] = "gpus";
        found.cpus = columns.find(cpu_names, "cpu_milli");
    }
    return table;
}

bool is_sacct_header(std::string_view line) {
    const std::vector<std::string> header = header_of(line);
    return find_column(header, job_names) && find_column(header, state_names) &&
           (find_column(header, elapsed_names) || find_column(header, exit_names));
}

bool is_sacct_line(std::string_view line) {
    std::vector<std::string_view> fields;
    split_by(line, delimiter_in_line(line), fields);
    return fields.size() > 1 && std::ranges::any_of(fields, is_slurm_state);
}

}} // namespace bursar::scenarios
