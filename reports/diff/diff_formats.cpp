#include "reports/diff/diff_formats.hpp"

#include <array>

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

}} // namespace bursar::reports
