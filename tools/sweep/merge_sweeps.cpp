#include "tools/sweep/merge_sweeps.hpp"

#include <cassert>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "reports/errors/report_error.hpp"
#include "reports/text/escape.hpp"

#include "tools/sweep/sweep_store.hpp"

namespace bursar::inline tools {
namespace {

/// Whether two rows are of one run that went one way; how long it took does not count.
bool same_result(const SweepRow& a, const SweepRow& b) {
    return a.fingerprint == b.fingerprint && a.failure == b.failure && a.scalars == b.scalars;
}

} // namespace

SweepTable merge_sweeps(std::span<const std::filesystem::path> from,
                        const std::filesystem::path& to) {
    assert(!from.empty());
    const SweepLock lock{to};
    std::optional<SweepStore> merged;
    std::map<std::pair<std::uint64_t, std::uint64_t>, SweepRow> known;
    SweepTable first;
    const auto take = [&](const SweepTable& table, const std::filesystem::path& folder) {
        for (const SweepRow& row : table.rows) {
            const auto [at, is_new] = known.try_emplace({row.scenario_hash, row.seed}, row);
            if (!is_new && !same_result(at->second, row))
                throw ReportError{
                    fmt::format("{}: run {} has another result than in the folders before",
                                terminal_text(folder.string()),
                                row.number)};
        }
    };
    for (const std::filesystem::path& folder : from) {
        SweepStore store{folder};
        const SweepTable table = store.table();
        if (!merged) {
            first = store.planned();
            merged.emplace(to, first);
            take(merged->table(), to);
        } else if (table.identity != first.identity) {
            throw ReportError{fmt::format("{}: holds another sweep than {} (other values, seeds, "
                                          "files or version of bursar)",
                                          terminal_text(folder.string()),
                                          terminal_text(from.front().string()))};
        }
        take(table, folder);
        merged->add_all(table);
    }
    return merged->table();
}

} // namespace bursar::inline tools
