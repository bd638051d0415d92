#include "tools/sweep/sweep_status.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "tools/sweep/sweep_store.hpp"

namespace bursar { inline namespace tools {
namespace {

/// "0..11, 14, 20..29", and how many stretches more there are.
std::string listed(const std::vector<std::uint64_t>& numbers) {
    constexpr std::size_t max_shown = 20;
    std::string out;
    std::size_t num_stretches = 0;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
            ++end;
        if (++num_stretches <= max_shown)
            out += fmt::format("{}{}{}",
                               out.empty() ? "" : ", ",
                               numbers[i],
                               end - i > 1 ? fmt::format("..{}", numbers[end - 1]) : "");
        i = end;
    }
    if (num_stretches > max_shown)
        out += fmt::format(", and {} stretches more", num_stretches - max_shown);
    return out;
}

} // namespace

SweepStatus sweep_status(const std::filesystem::path& folder) {
    SweepStore store{folder};
    const SweepTable table = store.table();
    std::vector<std::uint64_t> missing;
    std::vector<std::uint64_t> failed;
    std::uint64_t num_pruned = 0;
    std::uint64_t next = 0;
    for (const SweepRow& row : table.rows) {
        for (; next < row.number; ++next)
            missing.push_back(next);
        ++next;
        if (!row.failure.empty())
            failed.push_back(row.number);
        num_pruned += row.pruned.empty() ? 0 : 1;
    }
    for (; next < table.num_planned; ++next)
        missing.push_back(next);
    SweepStatus status{{}, missing.size() + failed.size()};
    status.answer.command = "sweep --status";
    AnswerSection section{"status", table.scenario_name, {}};
    const auto count = [&](std::string key, std::string label, std::uint64_t number) {
        section.values.push_back(
            {std::move(key), std::move(label), static_cast<std::int64_t>(number), "", ""});
    };
    count("planned", "runs planned", table.num_planned);
    count("done", "with a result", table.rows.size() - failed.size() - num_pruned);
    if (num_pruned > 0)
        count("pruned", "not simulated (--prune)", num_pruned);
    count("failed", "failed", failed.size());
    count("missing", "missing", missing.size());
    if (!missing.empty())
        section.values.push_back({"missing_runs", "missing runs", listed(missing), "", ""});
    if (!failed.empty())
        section.values.push_back({"failed_runs", "failed runs", listed(failed), "", ""});
    status.answer.sections.push_back(std::move(section));
    return status;
}

}} // namespace bursar::tools
