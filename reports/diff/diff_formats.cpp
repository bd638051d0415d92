#include "reports/diff/diff_formats.hpp"

#include <algorithm>
#include <array>

#include "reports/document/render.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::array all_diff_outputs{
    DiffOutput{"table", "diff.txt", write_diff_table},
    DiffOutput{"json", "diff.json", write_diff_json},
    DiffOutput{"markdown", "diff.md", write_diff_markdown},
    DiffOutput{"html", "diff.html", write_diff_html},
};

} // namespace

std::span<const DiffOutput> diff_outputs() {
    return all_diff_outputs;
}

void write_diff_table(const ResultDiff& diff,
                      const DiffQuestion& question,
                      std::size_t terminal,
                      TextSink& sink) {
    constexpr std::size_t min_width = 40;
    render_terminal(diff_document(diff, question), std::max(terminal, min_width), sink);
}

void write_diff_markdown(const ResultDiff& diff,
                         const DiffQuestion& question,
                         std::size_t,
                         TextSink& sink) {
    render_markdown(diff_document(diff, question), sink);
}

}} // namespace bursar::reports
