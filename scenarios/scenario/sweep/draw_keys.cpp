#include "scenarios/scenario/sweep/draw_keys.hpp"

#include <array>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/document/flow_text.hpp"
#include "scenarios/reader/map_rule.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/scenario/sweep/swept_values.hpp"
#include "scenarios/variants/draw_axis.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::array<std::string_view, 2> method_names{"random", "latin-hypercube"};

/// What a path is drawn from.
struct DrawnPathRule {
    using value_type = DrawnPath;

    [[nodiscard]] std::optional<DrawnPath> read(const Reader& at) const {
        const Node& node = at.node();
        DrawnPath path{{}, {}, {}, origin_of(node)};
        if (node.kind == NodeKind::scalar && !node.quoted) {
            path.range = node.text;
            return path;
        }
        if (node.kind != NodeKind::sequence || node.items.empty())
            return at.expected("a range such as 10..40, or a list of values");
        for (const Node& item : node.items)
            path.values.push_back(flow_text(item));
        return path;
    }
    [[nodiscard]] Schema schema() const {
        return {
            {"anyOf",
             {{{"type", "string"}, {"pattern", R"(\.\.)"}}, {{"type", "array"}, {"minItems", 1}}}}};
    }
};

struct DrawSpec {
    std::int64_t points{};
    DrawMethod method{DrawMethod::latin_hypercube};
    std::int64_t seed{1};
    std::vector<std::pair<std::string, DrawnPath>> over;
};

Table<DrawSpec> draw_keys() {
    return table<DrawSpec>(
        {required("points", &DrawSpec::points, whole_number(1, 1'000'000), "number of points"),
         optional("method",
                  &DrawSpec::method,
                  choice_of<DrawMethod>(method_names),
                  "how points are drawn; default latin-hypercube"),
         optional("seed",
                  &DrawSpec::seed,
                  whole_number(0, std::numeric_limits<std::int64_t>::max()),
                  "of the points, not of the runs; default 1"),
         required("over",
                  &DrawSpec::over,
                  map_of(DrawnPathRule{}, "a mapping of paths to ranges"),
                  "what is drawn")});
}

} // namespace

void read_draw(const Reader& at,
               const std::function<void(const Reader&)>& check_path,
               SweepSpec& sweep) {
    auto draw = draw_keys().read(at);
    if (!draw)
        return;
    const Reader over = *at.find("over");
    for (const Pair& pair : over.node().pairs)
        check_path(over.member(pair.key.text, pair.key));
    if (draw->over.empty()) {
        over.mistake("nothing to draw");
        return;
    }
    std::vector<DrawnPath> paths;
    for (auto& [name, path] : draw->over) {
        path.path = name;
        paths.push_back(std::move(path));
    }
    try {
        Axis axis = draw_axis(paths,
                              draw->method,
                              static_cast<std::uint32_t>(draw->points),
                              static_cast<std::uint64_t>(draw->seed));
        axis.directory = at.node().source->directory;
        sweep.axes.push_back(std::move(axis));
    } catch (const ScenarioError& error) {
        const Finding& finding = error.findings().front();
        over.mistake_at(finding.path, finding.problem, finding.why, finding.suggestion);
    }
}

Schema draw_schema() {
    return draw_keys().schema();
}

}} // namespace bursar::scenarios
