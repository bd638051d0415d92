#include "scenarios/scenario/sweep/swept_values.hpp"

#include <span>

#include <fmt/format.h>

#include "scenarios/document/flow_text.hpp"
#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Adds what an entry stands for; reports a range that has no values.
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

} // namespace

std::string origin_of(const Node& node) {
    const Place place = node.place();
    return place.line == 0 ? place.file
                           : fmt::format("{}:{}:{}", place.file, place.line, place.column);
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

}} // namespace bursar::scenarios
