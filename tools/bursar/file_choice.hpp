#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/files/packing.hpp"
#include "reports/files/write_outputs.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// Which files of a run are written into a folder, and how: shared by run, report, demo and
/// compare.
struct FileChoice {
    std::vector<std::string> files; ///< names of formats; empty: the usual ones
    bool gzip{};                    ///< the short form of `packing`
    std::optional<Packing> packing; ///< of CSV files

    /// Adds --files, --compress and --gzip to a command that has --out. what: is chosen by --files,
    /// in the words of the help text.
    void add_to(Command command, const std::string& what);

    /// Throws UsageError where --files names what is none, or one twice.
    [[nodiscard]] ChosenOutputs chosen() const;
};

}} // namespace bursar::tools
