#include "tools/sweep/merge_sweeps.hpp"

#include <cassert>
#include <optional>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "reports/errors/report_error.hpp"
#include "reports/text/escape.hpp"

#include "tools/sweep/sweep_lock.hpp"
#include "tools/sweep/sweep_store.hpp"

namespace bursar { inline namespace tools {

SweepTable merge_sweeps(std::span<const std::filesystem::path> from,
                        const std::filesystem::path& to,
                        const SweepQuestion& question) {
    assert(!from.empty());
    const SweepLock lock{to};
    std::optional<SweepStore> merged;
    for (const std::filesystem::path& folder : from) {
        const auto fail = [&](const std::string& why) {
            throw BadResult{fmt::format("{}: {}", terminal_text(folder.string()), why)};
        };
        if (!merged) { // `to` may be one of them: it is read and closed before it is opened for
                       // writing
            const SweepTable planned = SweepStore{folder}.planned();
            merged.emplace(to, planned, Database::Open::to_fill);
        }
        if (std::filesystem::equivalent(folder, to))
            continue;
        SweepStore store{folder};
        static_cast<void>(store.table()); // throws before anything damaged is copied
        if (store.identity() != merged->identity())
            fail(fmt::format("holds another sweep than {} (other values, seeds, files or version "
                             "of bursar)",
                             terminal_text(from.front().string())));
        if (const std::optional<std::uint64_t> run = merged->first_conflict(store))
            fail(fmt::format("run {} has another result than in the folders before", *run));
        merged->add_all(store);
    }
    merged->keep_question(question);
    return merged->table();
}

void remove_sweep(const std::filesystem::path& folder) {
    const std::string store{store_name};
    for (const std::string& file : {store, store + "-wal", store + "-shm", std::string{lock_name}})
        std::filesystem::remove(folder / file);
    std::error_code none; // other files in the folder are kept
    std::filesystem::remove(folder, none);
}

}} // namespace bursar::tools
