#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/trace_formats/record_formats.hpp"
#include "scenarios/traces/text/csv_writer.hpp"
#include "scenarios/traces/text/line_reader.hpp"
#include "scenarios/traces/text/numbers.hpp"
#include "scenarios/traces/trace.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t num_fields = 18;
constexpr std::array<std::string_view, num_fields> field_names{"job number",
                                                               "submit time",
                                                               "wait time",
                                                               "run time",
                                                               "processors used",
                                                               "CPU time",
                                                               "memory used",
                                                               "processors asked",
                                                               "time asked",
                                                               "memory asked",
                                                               "status",
                                                               "user",
                                                               "group",
                                                               "executable",
                                                               "queue",
                                                               "partition",
                                                               "preceding job",
                                                               "think time"};

/// The meaning of each field.
constexpr std::array<std::string_view, num_fields> read_as{"job",
                                                           "submit",
                                                           "",
                                                           "duration",
                                                           "gpus",
                                                           "",
                                                           "",
                                                           "gpus",
                                                           "requested_time",
                                                           "",
                                                           "state",
                                                           "tenant",
                                                           "",
                                                           "",
                                                           "",
                                                           "",
                                                           "after",
                                                           "think_time"};

constexpr std::size_t processors_used = 4;
constexpr std::size_t processors_requested = 7;
constexpr std::size_t time_requested = 8;
constexpr std::size_t user = 11;
constexpr std::size_t preceding_job = 16;
constexpr std::size_t think_time = 17;
constexpr std::string_view unknown = "-1";
constexpr std::string_view unknown_user = "unknown";
constexpr std::string_view user_prefix = "user ";
constexpr std::string_view blanks = " \t\r";

constexpr TraceColumns columns{.submit = 1,
                               .duration = 3,
                               .finish = {},
                               .gpus = processors_used,
                               .gpu_milli = {},
                               .gpu_types = {},
                               .tenant = user,
                               .name = 0,
                               .state = 10,
                               .requested = time_requested,
                               .after = preceding_job,
                               .think = think_time};
constexpr TraceColumns columns_as_requested = [] {
    TraceColumns asked = columns;
    asked.gpus = processors_requested;
    return asked;
}();

constexpr std::array status_words{StateWord{"1", JobEnd::completed},
                                  StateWord{"0", JobEnd::failed},
                                  StateWord{"5", JobEnd::cancelled},
                                  StateWord{"-1", JobEnd::completed}};

void split_at_blanks(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    std::size_t at = line.find_first_not_of(blanks);
    while (at != std::string_view::npos) {
        const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
        fields.push_back(line.substr(at, end - at));
        at = line.find_first_not_of(blanks, end);
    }
}

/// N of a comment `; UnixStartTime: N`, in milliseconds; absent for other comments and N = 0.
std::optional<std::int64_t> unix_start_ms(std::string_view comment) {
    constexpr std::string_view key = "UnixStartTime:";
    const std::size_t at = comment.find(key);
    if (at == std::string_view::npos)
        return std::nullopt;
    std::vector<std::string_view> words;
    split_at_blanks(comment.substr(at + key.size()), words);
    const std::optional<std::int64_t> seconds =
        words.empty() ? std::nullopt : parse_count(words[0]);
    return seconds && *seconds > 0 ? std::optional{*seconds * 1000} : std::nullopt;
}

/// N of "user N"; absent for other names.
std::optional<std::int64_t> user_number(std::string_view tenant) {
    return tenant.starts_with(user_prefix) ? parse_count(tenant.substr(user_prefix.size()))
                                           : std::nullopt;
}

/// The user field of each tenant.
std::vector<std::string> user_fields(const Trace& trace) {
    const bool numbered = std::ranges::all_of(trace.tenants, [](const std::string& tenant) {
        return tenant == unknown_user || user_number(tenant).has_value();
    });
    std::vector<std::string> fields;
    for (const std::string& tenant : trace.tenants) {
        if (!numbered)
            fields.push_back(std::to_string(fields.size() + 1));
        else if (tenant == unknown_user)
            fields.emplace_back(unknown);
        else
            fields.push_back(std::to_string(*user_number(tenant)));
    }
    if (trace.tenant.empty())
        fields = {std::string{unknown}};
    return fields;
}

bool names_are_numbers(const Trace& trace) {
    if (trace.name_end.empty())
        return false;
    for (std::size_t row = 0; row < trace.size(); ++row) {
        const std::string_view name = trace.name(row);
        if (name.empty() || name.find_first_not_of("0123456789") != std::string_view::npos)
            return false;
    }
    return true;
}

std::string requested_of(const Trace& trace, std::size_t row) {
    const bool is_positive = !trace.requested_ms.empty() && trace.requested_ms[row] > 0;
    return is_positive ? format_seconds(trace.requested_ms[row]) : std::string{unknown};
}

/// The preceding job and the think time; a job has at most one of the first.
std::string needs_of(const Trace& trace, std::size_t row, bool keep_names) {
    const bool has_one = !trace.needs.empty() && trace.needs.of(row).size() == 1;
    if (!has_one)
        return "-1 -1";
    const std::uint32_t other = trace.needs.of(row).front();
    return (keep_names ? std::string{trace.name(other)} : std::to_string(other + 1)) + ' ' +
           (trace.think_ms.empty() ? std::string{unknown} : format_seconds(trace.think_ms[row]));
}

const char* status_of(const Trace& trace, std::size_t row) {
    if (trace.end.empty())
        return "-1";
    switch (trace.end[row]) {
    case JobEnd::completed:
        return "1";
    case JobEnd::failed:
    case JobEnd::node_failed:
        return "0";
    case JobEnd::cancelled:
    case JobEnd::stopped:
    case JobEnd::rejected:
        return "5";
    }
    return "-1";
}

} // namespace

bool begins_like_swf(std::string_view beginning) {
    const std::string_view first_line = first_line_of(beginning);
    std::vector<std::string_view> fields;
    split_at_blanks(first_line, fields);
    if (!fields.empty() && fields[0].starts_with(';'))
        return true;
    return fields.size() == num_fields && first_line.find(',') == std::string_view::npos;
}

void read_swf(ByteSource& bytes, TraceBuilder& trace) {
    LineReader reader{bytes, trace.options().file};
    trace.begin({field_names.begin(), field_names.end()}, TimeForm::seconds, status_words);
    for (std::size_t field = 0; field < num_fields; ++field)
        trace.note_column(std::string{field_names[field]}, read_as[field]);
    std::vector<std::string_view> fields;
    std::string tenant;
    bool in_header = true;
    while (const std::optional<std::string_view> line = reader.next()) {
        split_at_blanks(*line, fields);
        if (fields.empty())
            continue;
        if (fields[0].starts_with(';')) {
            const auto start = in_header ? unix_start_ms(*line) : std::nullopt;
            if (start)
                trace.set_zero_utc_ms(*start);
            continue;
        }
        in_header = false;
        const TextRow row{fields, reader.line(), line->data(), {}, {}, {}};
        const bool complete = fields.size() == num_fields;
        const bool use_requested = complete && fields[processors_used] == unknown &&
                                   fields[processors_requested] != unknown;
        if (complete) {
            tenant = user_prefix;
            tenant += fields[user];
            fields[user] = fields[user] == unknown ? unknown_user : std::string_view{tenant};
            if (fields[preceding_job] == unknown)
                fields[preceding_job] = fields[preceding_job].substr(0, 0); // none
        }
        trace.add(row, use_requested ? columns_as_requested : columns);
    }
}

void write_swf(const Trace& trace, std::ostream& out) {
    const std::vector<std::string> users = user_fields(trace);
    const bool keep_names = names_are_numbers(trace);
    // The header has whole seconds; every submit gets the rest of the zero's second.
    const std::int64_t zero = trace.zero_utc_ms.value_or(0);
    const std::int64_t rest = zero % 1000;
    out << "; Version: 2.2\n";
    if (trace.zero_utc_ms)
        out << "; UnixStartTime: " << (zero - rest) / 1000 << '\n';
    out << "; Note: processors are GPUs\n";
    for (std::size_t row = 0; row < trace.size(); ++row) {
        if (keep_names)
            out << trace.name(row);
        else
            out << row + 1;
        const std::uint32_t gpus = trace.gpus[row];
        out << ' ' << format_seconds(rest + trace.submit_ms[row]) << " -1 "
            << format_seconds(trace.duration_ms[row]) << ' ' << gpus << " -1 -1 " << gpus << ' '
            << requested_of(trace, row) << " -1 " << status_of(trace, row) << ' '
            << users[trace.tenant.empty() ? 0 : trace.tenant[row]] << " -1 -1 -1 -1 "
            << needs_of(trace, row, keep_names) << '\n';
    }
}

}} // namespace bursar::scenarios
