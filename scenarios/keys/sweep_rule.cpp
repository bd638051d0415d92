#include "scenarios/keys/sweep_rule.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "scenarios/document/node.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/variants/draw_axis.hpp"
#include "scenarios/variants/variants.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The place of a value of a sweep, for messages: "FILE:12:5".
std::string origin_of(const Node& node) {
    const Place place = node.place();
    return place.line == 0 ? place.file
                           : fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

/// The values of a path in `sweep`: a list of values of that key and of ranges of numbers with a
/// step, or one such entry. The axis comes without its path.
struct SweptValuesRule {
    using value_type = Axis;
    [[nodiscard]] std::optional<Axis> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

SweptValuesRule swept_values() {
    return {};
}

/// Adds the values of an entry; reports a range without values.
void add_entry(const Reader& at, Axis& axis) {
    const Node& node = at.node();
    if (node.kind == NodeKind::null) {
        at.expected("a value");
        return;
    }
    try {
        const bool is_text = node.kind != NodeKind::scalar || node.quoted;
        for (std::string& value :
             is_text ? std::vector{flow_text(node)} : values_of(at.path(), node.text)) {
            axis.values.push_back(std::move(value));
            axis.origins.push_back(origin_of(node));
        }
    } catch (const ScenarioError& error) {
        const Finding& finding = error.findings().front();
        at.mistake(finding.problem, finding.why, finding.suggestion);
    }
}

std::optional<Axis> SweptValuesRule::read(const Reader& at) const {
    const Node& node = at.node();
    const std::size_t before = at.num_mistakes();
    Axis axis{{}, {}};
    axis.directory = node.source->directory;
    if (node.kind == NodeKind::sequence && node.items.empty())
        return at.mistake("the list is too short", "at least 1");
    if (node.kind == NodeKind::mapping || node.kind == NodeKind::null)
        return at.expected("a list of values, or a range such as 30..60:5");
    if (node.kind == NodeKind::scalar)
        add_entry(at, axis);
    for (std::size_t i = 0; i < node.items.size(); ++i)
        add_entry(at.element(i), axis);
    return at.num_mistakes() == before ? std::optional{std::move(axis)} : std::nullopt;
}

Schema SweptValuesRule::schema() const {
    const Schema value{{"type", {"string", "number", "boolean", "array", "object"}}};
    return {{"anyOf",
             {{{"type", "array"}, {"minItems", 1}, {"items", value}},
              {{"type", {"string", "number", "boolean"}}}}}};
}

constexpr std::array<std::string_view, 2> method_names{"random", "latin-hypercube"};

/// The values that a path is drawn from: a range or a list.
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
        {{required("points", &DrawSpec::points, whole_number(1, 1'000'000)), "number of points"},
         {optional("method", &DrawSpec::method, choice_of<DrawMethod>(method_names)),
          "how points are drawn; default latin-hypercube"},
         {optional(
              "seed", &DrawSpec::seed, whole_number(0, std::numeric_limits<std::int64_t>::max())),
          "of the points, not of the runs; default 1"},
         {required(
              "over", &DrawSpec::over, map_of(DrawnPathRule{}, "a mapping of paths to ranges")),
          "what is drawn"}});
}

/// Adds `sweep.draw` as an axis. check_path: called for each path at its key.
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

constexpr std::array<std::string_view, 5> own_keys{"zip", "list", "draw", "seeds", "max_scenarios"};
constexpr std::int64_t max_int64 = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t max_seeds = 10'000;

/// A number of seeds, or a list of seeds.
void read_seeds(const Reader& at, SweepSpec& sweep) {
    if (at.node().kind != NodeKind::sequence) {
        sweep.num_seeds = whole_number(1, max_seeds).read(at);
        return;
    }
    for (const std::int64_t seed :
         list_of(whole_number(0, max_int64)).read(at).value_or(std::vector<std::int64_t>{})) {
        if (std::ranges::find(sweep.seeds, static_cast<std::uint64_t>(seed)) != sweep.seeds.end())
            at.mistake(fmt::format("seed {} comes twice", seed));
        sweep.seeds.push_back(static_cast<std::uint64_t>(seed));
    }
}

} // namespace

void SweepRule::check_path(const Reader& at, const std::string& path) const {
    const std::string first = path.substr(0, path.find_first_of(".["));
    if (std::ranges::find(keys_, first) != keys_.end())
        return;
    std::vector<std::string> known{own_keys.begin(), own_keys.end()};
    known.insert(known.end(), keys_.begin(), keys_.end());
    at.mistake("unknown key",
               "neither a key of `sweep` nor a path such as fleet.POOL.nodes",
               suggestion(first, known));
}

/// Paths that change together: first values with first, second with second.
std::optional<Axis> SweepRule::read_together(const Reader& at) const {
    if (at.node().kind != NodeKind::mapping || at.node().pairs.empty())
        return at.expected("a mapping of paths to lists of values");
    std::optional<Axis> first;
    for (const Pair& pair : at.node().pairs) {
        check_path(at.member(pair.key.text, pair.key), pair.key.text);
        auto axis = swept_values().read(at.member(pair.key.text, pair.value));
        if (!axis)
            return std::nullopt;
        axis->path = pair.key.text;
        if (first && first->values.size() != axis->values.size())
            return at.member(pair.key.text, pair.value)
                .mistake(fmt::format("{} values, where {} has {}",
                                     axis->values.size(),
                                     first->path,
                                     first->values.size()),
                         "paths that change together have equally many");
        if (first)
            first->with.push_back(std::move(*axis));
        else
            first = std::move(axis);
    }
    return first;
}

void SweepRule::read_zips(const Reader& at, SweepSpec& sweep) const {
    const bool is_list = at.node().kind == NodeKind::sequence;
    for (std::size_t i = 0; i < (is_list ? at.node().items.size() : 1); ++i)
        if (auto axis = read_together(is_list ? at.element(i) : at))
            sweep.axes.push_back(std::move(*axis));
}

/// A list of points, each with a value for the same paths.
void SweepRule::read_list(const Reader& at, SweepSpec& sweep) const {
    if (at.node().kind != NodeKind::sequence || at.node().items.empty()) {
        at.expected("a list of mappings of paths to values");
        return;
    }
    std::vector<Axis> axes;
    for (std::size_t i = 0; i < at.node().items.size(); ++i) {
        const Reader point = at.element(i);
        if (point.node().kind != NodeKind::mapping || point.node().pairs.empty()) {
            point.expected("a mapping of paths to values");
            return;
        }
        for (const Pair& pair : point.node().pairs) {
            const Reader written = point.member(pair.key.text, pair.key);
            check_path(written, pair.key.text);
            auto axis = std::ranges::find(axes, pair.key.text, &Axis::path);
            if (axis == axes.end() && i == 0)
                axis = axes.insert(axes.end(), Axis{pair.key.text, {}});
            if (axis == axes.end() || axis->values.size() != i) {
                written.mistake(pair.repeated ? "duplicate key" : "is not in the first point",
                                "all points of a list give the same paths");
                return;
            }
            axis->values.push_back(flow_text(pair.value));
            axis->origins.push_back(origin_of(pair.value));
            axis->directory = pair.value.source->directory;
        }
        for (const Axis& axis : axes)
            if (axis.values.size() != i + 1) {
                point.mistake(fmt::format("\"{}\" is missing", axis.path),
                              "all points of a list give the same paths");
                return;
            }
    }
    Axis axis = std::move(axes.front());
    axis.with.assign(axes.begin() + 1, axes.end());
    sweep.axes.push_back(std::move(axis));
}

std::optional<SweepSpec> SweepRule::read(const Reader& at) const {
    if (at.node().kind != NodeKind::mapping)
        return at.expected("a mapping of paths to lists of values");
    const std::size_t before = at.num_mistakes();
    SweepSpec sweep;
    for (const Pair& pair : at.node().pairs) {
        const std::string& key = pair.key.text;
        const Reader value = at.member(key, pair.value);
        if (pair.repeated)
            at.member(key, pair.key).mistake("duplicate key");
        if (key == "zip")
            read_zips(value, sweep);
        else if (key == "list")
            read_list(value, sweep);
        else if (key == "draw")
            read_draw(
                value, [&](const Reader& path) { check_path(path, path.node().text); }, sweep);
        else if (key == "seeds")
            read_seeds(value, sweep);
        else if (key == "max_scenarios")
            sweep.max_scenarios = whole_number(1, max_int64).read(value);
        else {
            check_path(at.member(key, pair.key), key);
            if (auto axis = swept_values().read(value)) {
                axis->path = key;
                sweep.axes.push_back(std::move(*axis));
            }
        }
    }
    return at.num_mistakes() == before ? std::optional{std::move(sweep)} : std::nullopt;
}

Schema SweepRule::schema() const {
    const Schema values = swept_values().schema();
    const Schema together{
        {"type", "object"}, {"minProperties", 1}, {"additionalProperties", values}};
    return {
        {"type", "object"},
        {"properties",
         {{"zip",
           {{"anyOf", {together, {{"type", "array"}, {"minItems", 1}, {"items", together}}}}}},
          {"list",
           {{"type", "array"},
            {"minItems", 1},
            {"items", {{"type", "object"}, {"minProperties", 1}}}}},
          {"draw", draw_schema()},
          {"seeds",
           {{"anyOf",
             {whole_number(1, max_seeds).schema(), list_of(whole_number(0, max_int64)).schema()}}}},
          {"max_scenarios", whole_number(1, max_int64).schema()}}},
        {"additionalProperties", values}};
}

}} // namespace bursar::scenarios
