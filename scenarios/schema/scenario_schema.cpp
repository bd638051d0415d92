#include "scenarios/schema/scenario_schema.hpp"

#include <utility>

#include "scenarios/scenario/scenario_keys.hpp"

namespace bursar {
namespace {

using nlohmann::ordered_json;

/// Moves what `mapping`, and the mappings inside it, must hold into a schema of its own. Lists are
/// left alone: an including file replaces them as a whole.
ordered_json take_obligations(ordered_json& mapping) {
    ordered_json obligations = ordered_json::object();
    for (const char* keyword : {"required", "anyOf"}) {
        if (!mapping.contains(keyword))
            continue;
        obligations[keyword] = std::move(mapping[keyword]);
        mapping.erase(keyword);
    }
    for (auto& [key, value] : mapping["properties"].items()) {
        if (!value.contains("properties"))
            continue;
        ordered_json inner = take_obligations(value);
        if (!inner.empty())
            obligations["properties"][key] = std::move(inner);
    }
    return obligations;
}

} // namespace

ordered_json scenario_schema(const KnownNames& names, const Catalogue& catalogue) {
    ordered_json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                           {"title", "bursar scenario"}};
    schema.update(scenario_keys(names, catalogue).schema());
    ordered_json obligations = take_obligations(schema);
    schema["if"] = {{"required", {"include"}}};
    schema["then"] = ordered_json::object();
    schema["else"] = std::move(obligations);
    return schema;
}

} // namespace bursar
