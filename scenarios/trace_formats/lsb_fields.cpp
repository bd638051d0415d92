#include "scenarios/trace_formats/lsb_fields.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "scenarios/traces/text/numbers.hpp"

namespace bursar { inline namespace scenarios {
namespace {

// Positions of the fields of a JOB_FINISH record of LSF 10.1, from "lsb.acct" of its reference.
// They are fixed up to the first list, then count from the ends of the lists.
constexpr std::size_t event_time_at = 2;
constexpr std::size_t job_id_at = 3;
constexpr std::size_t submit_time_at = 7;
constexpr std::size_t start_time_at = 10;
constexpr std::size_t user_name_at = 11;
constexpr std::size_t requirement_at = 13;
constexpr std::size_t num_requested_hosts_at = 22;
// From the job's status on: host factor, name, command, 19 usage figures, mail user, project, exit
// status, maximum of processors, shell, time event.
constexpr std::size_t index_behind_status = 1 + 2 + 19 + 6 + 1;
// Memory, swap, two spool files, reservation, service class, exceptions, additional information.
constexpr std::size_t exit_info_behind_index = 9;

constexpr std::array<std::string_view, 3> gpu_resources{
    "ngpus_physical=", "ngpus=", "ngpus_excl_p="};
constexpr std::array<AmountUnit, 1> whole_gpus{{{"", 1, 1}}};

/// The hosts of a list that begins at `at`; "4*hostA" is four slots there.
void count_hosts(const std::vector<LsbField>& fields, std::size_t at, std::size_t n, LsbJob& job) {
    std::set<std::string_view> hosts;
    for (std::size_t i = at; i < at + n; ++i) {
        std::string_view host = fields[i].text;
        const std::size_t star = host.find('*');
        const auto slots = star == std::string_view::npos ? std::optional{std::int64_t{1}}
                                                          : parse_count(host.substr(0, star));
        if (star != std::string_view::npos && slots)
            host.remove_prefix(star + 1);
        job.slots += slots.value_or(1);
        hosts.insert(host);
    }
    job.hosts = static_cast<std::int64_t>(hosts.size());
}

/// Skips a list of texts whose length is at `at`; absent if the record ends within it.
std::optional<std::size_t> pass_list(const std::vector<LsbField>& fields, std::size_t at) {
    const auto count = at < fields.size() ? parse_count(fields[at].text) : std::nullopt;
    if (!count || static_cast<std::uint64_t>(*count) > fields.size() - at - 1)
        return std::nullopt;
    return at + 1 + static_cast<std::size_t>(*count);
}

/// The last requirement after the status that names GPUs, else the user's.
LsbField requirement_of(const std::vector<LsbField>& fields, std::size_t status_at) {
    for (std::size_t at = fields.size(); at-- > status_at + index_behind_status;)
        if (fields[at].quoted && fields[at].text.find("rusage[") != std::string::npos)
            return fields[at];
    return fields[requirement_at];
}

} // namespace

std::optional<std::vector<LsbField>> split_lsb_fields(std::string_view line) {
    std::vector<LsbField> fields;
    for (std::size_t at = line.find_first_not_of(" \t"); at < line.size();
         at = line.find_first_not_of(" \t", at)) {
        LsbField& field = fields.emplace_back();
        field.column = at + 1;
        field.quoted = line[at] == '"';
        if (!field.quoted) {
            const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
            field.text = line.substr(at, end - at);
            at = end;
            continue;
        }
        for (++at;; ++at) {
            if (at >= line.size())
                return std::nullopt;
            if (line[at] == '"') {
                if (line.substr(at + 1, 1) != "\"")
                    break;
                ++at; // a quote inside is doubled
            }
            field.text += line[at];
        }
        ++at;
    }
    return fields;
}

std::optional<LsbJob> find_lsb_job(const std::vector<LsbField>& fields, std::uint64_t& broken_at) {
    const auto broken = [&](std::size_t at) {
        broken_at = at < fields.size() ? fields[at].column : fields.back().column;
        return std::nullopt;
    };
    const std::optional<std::size_t> hosts_at = pass_list(fields, num_requested_hosts_at);
    if (!hosts_at)
        return broken(num_requested_hosts_at);
    const std::optional<std::size_t> status_at = pass_list(fields, *hosts_at);
    if (!status_at)
        return broken(*hosts_at);
    const std::size_t index_at = *status_at + index_behind_status;
    const std::size_t exit_info_at = index_at + exit_info_behind_index;
    if (exit_info_at >= fields.size())
        return broken(exit_info_at);
    LsbJob job{.name = fields[job_id_at].text,
               .end = fields[event_time_at],
               .id = fields[job_id_at],
               .submit = fields[submit_time_at],
               .start = fields[start_time_at],
               .user = fields[user_name_at],
               .status = fields[*status_at],
               .exit_info = fields[exit_info_at],
               .requirement = requirement_of(fields, *status_at)};
    count_hosts(fields, *hosts_at + 1, *status_at - *hosts_at - 1, job);
    for (const std::size_t at : {job_id_at, *status_at, index_at, exit_info_at})
        if (fields[at].quoted || !parse_count(fields[at].text))
            return broken(at);
    if (parse_count(fields[index_at].text) != 0)
        job.name += "[" + fields[index_at].text + "]";
    return job;
}

std::optional<std::int64_t>
gpus_of_requirement(std::string_view requirement, std::int64_t hosts, std::int64_t slots) {
    const std::size_t begin = requirement.find("rusage[");
    if (begin == std::string_view::npos)
        return 0;
    // A compound requirement has one for each part; which hosts belong to a part is not known.
    const bool is_compound = requirement.find("rusage[", begin + 1) != std::string_view::npos;
    if (is_compound && requirement.find("ngpus", begin) != std::string_view::npos)
        return std::nullopt;
    std::string_view use = requirement.substr(begin + 7);
    use = use.substr(0, use.find(']'));
    for (const std::string_view resource : gpu_resources) {
        std::size_t at = use.find(resource);
        while (at != std::string_view::npos && at != 0 &&
               std::string_view{",: ("}.find(use[at - 1]) == std::string_view::npos)
            at = use.find(resource, at + 1); // the name is part of another one
        if (at == std::string_view::npos)
            continue;
        std::string_view value = use.substr(at + resource.size());
        value = value.substr(0, value.find_first_of(",:) "));
        const std::size_t slash = value.find('/');
        const std::string_view per =
            slash == std::string_view::npos ? "host" : value.substr(slash + 1);
        const std::string_view number = value.substr(0, slash);
        const std::optional<std::int64_t> count = parse_amount(number, whole_gpus);
        if (!count || (number.find('.') != number.npos &&
                       number.find_first_not_of('0', number.find('.') + 1) != number.npos))
            return std::nullopt;
        const std::int64_t times = per == "job" ? 1 : per == "task" ? slots : hosts;
        std::int64_t gpus = 0;
        return __builtin_mul_overflow(*count, times, &gpus) ? std::nullopt : std::optional{gpus};
    }
    return 0;
}

}} // namespace bursar::scenarios
