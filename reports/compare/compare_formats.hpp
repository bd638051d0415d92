#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "reports/compare/compare_columns.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// One way to render a comparison. width: of the terminal; only the table looks at it.
struct CompareOutput {
    std::string_view name; ///< as `--format` takes it
    std::string_view file; ///< its name in an output directory
    void (*write)(const Comparison& comparison,
                  const CompareQuestion& question,
                  std::size_t width,
                  TextSink& sink);
};

/// Every way, in the order in which they are listed and written.
[[nodiscard]] std::span<const CompareOutput> compare_outputs();

void write_compare_table(const Comparison& comparison,
                         const CompareQuestion& question,
                         std::size_t width,
                         TextSink& sink);
void write_compare_json(const Comparison& comparison,
                        const CompareQuestion& question,
                        std::size_t width,
                        TextSink& sink);
void write_compare_csv(const Comparison& comparison,
                       const CompareQuestion& question,
                       std::size_t width,
                       TextSink& sink);
void write_compare_markdown(const Comparison& comparison,
                            const CompareQuestion& question,
                            std::size_t width,
                            TextSink& sink);
/// One page of HTML, as write_run_report does a run: what each variant costs and how long jobs wait
/// in it, each metric's difference to the base with its interval, the tables and caveats of the
/// other formats. In html/.
void write_compare_html(const Comparison& comparison,
                        const CompareQuestion& question,
                        std::size_t width,
                        TextSink& sink);

}} // namespace bursar::reports
