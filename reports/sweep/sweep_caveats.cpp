#include "reports/sweep/sweep_caveats.hpp"

#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace bursar { inline namespace reports {
namespace {

std::uint64_t add_failed(const SweepTable& table, std::size_t shown, Answer& answer) {
    AnswerTable out{"failed", "no result", {}, {}, true};
    out.columns = {{"scenario", "scenario", ""}, {"seed", "seed", ""}, {"why", "why", ""}};
    std::uint64_t num_failed = 0;
    for (const SweepRow& row : table.rows) {
        if (row.failure.empty())
            continue;
        ++num_failed;
        if (out.rows.size() < shown)
            out.rows.push_back({static_cast<std::int64_t>(row.scenario),
                                static_cast<std::int64_t>(row.seed),
                                row.failure});
        if (num_failed == 1)
            answer.warnings.push_back(row.failure);
    }
    if (num_failed == 0)
        return 0;
    answer.warnings.back() = fmt::format("{} of {} runs have no result; the first: {}",
                                         num_failed,
                                         table.rows.size(),
                                         answer.warnings.back());
    answer.tables.push_back(std::move(out));
    return num_failed;
}

/// Scenarios that were not simulated, each with its reason.
void add_pruned(const SweepTable& table, std::size_t shown, Answer& answer) {
    AnswerTable out{"pruned", "not simulated", {}, {}, true};
    out.columns = {{"scenario", "scenario", ""}, {"why", "why", ""}};
    std::uint64_t num_scenarios = 0;
    std::uint64_t last = 0;
    for (const SweepRow& row : table.rows) {
        if (row.pruned.empty() || (num_scenarios > 0 && row.scenario == last))
            continue;
        last = row.scenario;
        if (++num_scenarios <= shown)
            out.rows.push_back({static_cast<std::int64_t>(row.scenario), row.pruned});
    }
    if (num_scenarios == 0)
        return;
    answer.tables.push_back(std::move(out));
    answer.warnings.push_back(fmt::format(
        "{} not simulated, as models foresee memory, run time and price: who would "
        "wait in {} was not looked at",
        num_scenarios == 1 ? "1 scenario was" : fmt::format("{} scenarios were", num_scenarios),
        num_scenarios == 1 ? "it" : "them"));
}

void add_warnings(const SweepTable& table, Answer& answer) {
    std::uint64_t num_warned = 0;
    std::string first;
    for (const SweepRow& row : table.rows)
        if (!row.warnings.empty() && ++num_warned == 1)
            first = row.warnings.substr(0, row.warnings.find('\n'));
    if (num_warned > 0)
        answer.warnings.push_back(
            fmt::format("{} of {} runs warn, such as: {}", num_warned, table.rows.size(), first));
}

void add_notes(const SweepTable& table, Answer& answer) {
    AnswerTable out{"assumed", "what the runs rest on", {}, {}, true};
    out.columns = {{"kind", "", ""}, {"text", "", ""}};
    for (const SweepNote& note : table.notes) {
        const bool is_unmodelled = note.kind == SweepNote::Kind::unmodelled;
        if (note.kind == SweepNote::Kind::decisive)
            answer.warnings.push_back("assumed, and every figure rests on it: " + note.text);
        out.rows.push_back({std::string{is_unmodelled ? "not modelled" : "assumed"}, note.text});
    }
    if (!out.rows.empty())
        answer.tables.push_back(std::move(out));
}

} // namespace

std::uint64_t add_caveats(const SweepTable& table, std::size_t shown, Answer& answer) {
    if (table.num_planned > table.rows.size())
        answer.warnings.push_back(
            fmt::format("{} of {} runs are missing, and the common end may move with them",
                        table.num_planned - table.rows.size(),
                        table.num_planned));
    const std::uint64_t num_failed = add_failed(table, shown, answer);
    add_pruned(table, shown, answer);
    add_warnings(table, answer);
    add_notes(table, answer);
    return num_failed;
}

}} // namespace bursar::reports
