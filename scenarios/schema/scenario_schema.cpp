#include "scenarios/schema/scenario_schema.hpp"

#include "scenarios/scenario/scenario_keys.hpp"

namespace bursar {

nlohmann::ordered_json scenario_schema(const KnownNames& names, const Catalogue& catalogue) {
    nlohmann::ordered_json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                                     {"title", "bursar scenario"}};
    schema.update(scenario_keys(names, catalogue).schema());
    return schema;
}

} // namespace bursar
