#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "reports/diff/diff_document.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

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

}} // namespace bursar::reports
