#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include "reports/options.hpp"
#include "reports/result/result.hpp"

namespace bursar {

/// The options that say how a result is shown and where it is written; shared by run, report and
/// demo.
struct OutputChoice {
    OutputOptions options;
    std::string format{"table"};
    std::string directory; ///< empty: nothing is written
    std::int64_t top{0};
    std::int64_t bucket_s{0};

    void add_to(CLI::App& command);

    /// Whether somebody will look at the timeline: it is recorded only then.
    [[nodiscard]] bool needs_timeline() const;

    /// Prints the result on stdout and, with --out, writes every output. Throws ReportError.
    void show(const Result& result);
};

} // namespace bursar
