#include "reports/compare/compare_formats.hpp"

#include <array>

#include "reports/compare/saved_comparison.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::array all_outputs{
    CompareOutput{"table", "compare.txt", write_compare_table},
    CompareOutput{"json", "compare.json", write_compare_json},
    CompareOutput{"csv", "compare.csv", write_compare_csv},
    CompareOutput{"markdown", "compare.md", write_compare_markdown},
    CompareOutput{"html", "compare.html", write_compare_html},
    CompareOutput{"result", "comparison.json", write_saved_comparison},
};

} // namespace

std::span<const CompareOutput> compare_outputs() {
    return all_outputs;
}

}} // namespace bursar::reports
