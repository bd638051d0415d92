#include "scenarios/schema/scenario_schema.hpp"

#include <utility>

#include "scenarios/reader/schema.hpp"
#include "scenarios/scenario/scenario_keys.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Moves what `mapping`, and the mappings inside it, must hold into a schema of its own. Lists are
/// left alone: an including file replaces them as a whole.
Schema take_obligations(Schema& mapping) {
    Schema obligations = Schema::object();
    for (const char* keyword : {"required", "anyOf"}) {
        if (mapping.contains(keyword))
            obligations[keyword] = mapping.take(keyword);
    }
    Schema& properties = mapping["properties"];
    for (std::size_t i = 0; i < properties.items().size(); ++i) {
        Schema& property = properties.items()[i];
        if (!property.contains("properties"))
            continue;
        Schema inner = take_obligations(property);
        if (!inner.empty())
            obligations["properties"][properties.names()[i]] = std::move(inner);
    }
    return obligations;
}

} // namespace

std::string scenario_schema(const KnownNames& names, const Catalogue& catalogue) {
    Schema schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                     {"title", "bursar scenario"}};
    schema.update(scenario_keys(names, catalogue, {std::make_shared<PriceFiles>()}).schema());
    Schema obligations = take_obligations(schema);
    schema["if"] = {{"required", {"include"}}};
    schema["then"] = Schema::object();
    schema["else"] = std::move(obligations);
    return schema.text();
}

}} // namespace bursar::scenarios
