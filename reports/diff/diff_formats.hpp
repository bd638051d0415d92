#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "reports/diff/fail_if.hpp"
#include "reports/diff/result_diff.hpp"
#include "reports/document/document.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// What to show of two results.
struct DiffQuestion {
    std::vector<const ScalarRow*> metrics; ///< to show; empty: the main ones
    std::vector<FailIf> fail_if;
    bool all{};                     ///< rows in which nothing changed, too
    std::optional<std::size_t> top; ///< that many tenants, the rest as "other (n)"; absent: 12
};

/// One way to render what two results differ in. width: of the terminal; only the table looks at
/// it.
using DiffWriter = void(const ResultDiff& diff,
                        const DiffQuestion& question,
                        std::size_t width,
                        TextSink& sink);

struct DiffOutput {
    std::string_view name; ///< as `--format` takes it
    std::string_view file; ///< its name in an output directory
    DiffWriter* write;
};

/// Every way, in the order in which they are listed and written.
[[nodiscard]] std::span<const DiffOutput> diff_outputs();

DiffWriter write_diff_table;
DiffWriter write_diff_json;
/// For a comment on a change that is to be merged: conditions first, then tables.
DiffWriter write_diff_markdown;
/// One page of HTML, as write_run_report does a run. In html/.
DiffWriter write_diff_html;

/// Two results for people: conditions, what differs in what was run, which metrics changed, and
/// where the money went. charts: where they stand in a page.
[[nodiscard]] Document diff_document(const ResultDiff& diff,
                                     const DiffQuestion& question,
                                     std::vector<FigureSection> charts = {});

}} // namespace bursar::reports
