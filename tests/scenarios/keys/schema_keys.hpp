#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "scenarios/keys/scenario_keys.hpp"

namespace bursar::test {

/// Path of a mapping, and one of its keys; lists stand for their elements.
using SchemaKeys = std::set<std::pair<std::string, std::string>>;

/// Every key of the mappings that `schema` describes, with the path of each mapping.
inline void
collect_keys(const nlohmann::ordered_json& schema, const std::string& path, SchemaKeys& keys) {
    if (schema.is_array())
        for (const auto& one : schema)
            collect_keys(one, path, keys);
    if (!schema.is_object())
        return;
    for (const char* keyword : {"anyOf", "items"})
        if (schema.contains(keyword))
            collect_keys(schema[keyword], path, keys);
    if (!schema.contains("properties"))
        return;
    for (const auto& [key, property] : schema["properties"].items()) {
        keys.emplace(path, key);
        collect_keys(property, path.empty() ? key : path + '.' + key, keys);
    }
}

/// Every key of a scenario with these names.
inline SchemaKeys schema_keys(const KnownNames& names) {
    SchemaKeys keys;
    collect_keys(
        nlohmann::ordered_json::parse(scenario_schema(names, builtin_catalogue())), {}, keys);
    return keys;
}

/// path: "fleet.billing.granularity".
inline bool has_path(const SchemaKeys& keys, std::string_view path) {
    const std::size_t dot = std::min(path.rfind('.'), path.size());
    const std::size_t key = dot == path.size() ? 0 : dot + 1;
    return keys.contains(
        {std::string{path.substr(0, key == 0 ? 0 : dot)}, std::string{path.substr(key)}});
}

} // namespace bursar::test
