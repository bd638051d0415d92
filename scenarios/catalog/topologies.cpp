#include "scenarios/catalog/topologies.hpp"

#include "scenarios/catalog/builtin_files.hpp"
#include "scenarios/catalog/named_list.hpp"
#include "scenarios/catalog/topology_rule.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

Table<NamedTopology> named_topology_keys() {
    using T = NamedTopology;
    return table<T>({
        required("name", &T::name, identifier(), "unique; the value of `topology`"),
        required("summary", &T::summary, text(), "description in one line"),
        required("nodes", &T::nodes, whole_number(1, 1'000'000), "nodes it is drawn with"),
        required("gpus_per_node", &T::gpus_per_node, whole_number(1, 1'000), "it was made for"),
        required("gpu", &T::gpu, text(), "GPU it was made for"),
        required("topology", &T::spec, short_form_keys(), "the fabric in short form"),
        required("source", &T::source, text(), "where it is described"),
        required("date", &T::date, calendar_day(), "when that was read"),
    });
}

} // namespace

const NamedTopology* Topologies::find(std::string_view name) const {
    return find_named(all, name);
}

std::vector<std::string> Topologies::names() const {
    return names_of(all);
}

const Topologies& builtin_topologies() {
    static const Topologies topologies =
        read_topologies_text(builtin_topologies_yaml, "topologies.yaml");
    return topologies;
}

Topologies read_topologies_text(std::string_view text, const std::string& file) {
    return {read_named_text(text, file, "topologies", named_topology_keys())};
}

}} // namespace bursar::scenarios
