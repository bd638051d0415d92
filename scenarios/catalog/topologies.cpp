#include "scenarios/catalog/topologies.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::int64_t max_nodes = 1'000'000;
constexpr std::array group_units{
    Unit{"nodes", 1}, Unit{"node", 1}, Unit{"racks", 1}, Unit{"rack", 1}};
const Dimension group_sizes{
    "a number of nodes or racks", "32 nodes", group_units, max_nodes, "1000000"};

QuantityRule<GroupSize> group_size() {
    return {group_sizes, Zero::refused, [](Measure m) {
                return GroupSize{m.count, m.unit->name.starts_with("rack")};
            }};
}

QuantityRule<ByteRate> byte_rate() {
    return {byte_rates, Zero::refused, [](Measure m) {
                return ByteRate{static_cast<double>(m.count)};
            }};
}

/// A rate, or an oversubscription such as "2:1".
struct UplinkRule {
    using value_type = Uplink;

    [[nodiscard]] std::optional<Uplink> read(const Reader& at) const {
        if (looks_like_ratio(at.node())) {
            const std::optional<double> over = ratio().read(at);
            return over ? std::optional{Uplink{std::nullopt, *over}} : std::nullopt;
        }
        const std::optional<ByteRate> rate = byte_rate().read(at);
        return rate ? std::optional{Uplink{*rate, 1}} : std::nullopt;
    }
    [[nodiscard]] Schema schema() const {
        return {{"anyOf", {byte_rate().schema(), ratio().schema()}}};
    }
};

/// GPUs of an NVLink domain, or `none`.
struct DomainRule {
    using value_type = std::int64_t;
    static constexpr std::int64_t largest_domain = 1024;

    [[nodiscard]] std::optional<std::int64_t> read(const Reader& at) const {
        if (at.node().kind == NodeKind::scalar && at.node().text == "none")
            return 0;
        return whole_number(1, largest_domain).read(at);
    }
    [[nodiscard]] Schema schema() const {
        return {{"anyOf", {whole_number(1, largest_domain).schema(), {{"const", "none"}}}}};
    }
};

/// "4x4x4": the sides of a torus, or of its tiles.
struct SidesRule {
    using value_type = std::vector<std::int64_t>;

    [[nodiscard]] std::optional<value_type> read(const Reader& at) const {
        const auto text = PatternRule{pattern, "the sides of a torus", "4x4x4"}.read(at);
        if (!text)
            return std::nullopt;
        value_type sides;
        for (std::size_t begin = 0; begin < text->size();) {
            const std::size_t end = std::min(text->find('x', begin), text->size());
            sides.push_back(std::stoll(text->substr(begin, end - begin)));
            begin = end + 1;
        }
        return sides;
    }
    [[nodiscard]] Schema schema() const {
        return PatternRule{pattern, "the sides of a torus", "4x4x4"}.schema();
    }

    static constexpr const char* pattern = "[1-9][0-9]{0,5}(x[1-9][0-9]{0,5}){0,5}";
};

std::vector<Key<TopologySpec>> gpu_link_rows() {
    using T = TopologySpec;
    return {
        {optional("nvlink", &T::nvlink, DomainRule{}),
         "GPUs of one NVLink domain: a divisor or a multiple of the node's; none: they "
         "reach each other by the host; default: the node, where its GPUs have NVLink"},
        {optional("nvlink_link", &T::nvlink_link, byte_rate()),
         "NVLink of one GPU, one direction; default: the catalogue's"},
        {optional("pcie_link", &T::pcie_link, byte_rate()),
         "one GPU to host and adapter, one direction; default: by its generation"},
    };
}

std::vector<Key<TopologySpec>> network_rows() {
    using T = TopologySpec;
    return {
        {optional("node_link", &T::node_link, byte_rate()),
         "all adapters of a node together, one direction; in a torus one link to one "
         "neighbour; default: the pool's network, else usual for the GPU"},
        {optional("rails", &T::rails, whole_number(1, DomainRule::largest_domain)),
         "adapters per node, each to its own switch of the rack; default 1"},
        {optional("rack", &T::rack, group_size()), "nodes under one switch, or one set of rails"},
        {optional("rack_link", &T::rack_link, UplinkRule{}),
         "what leaves a rack upward, all cables together, or its oversubscription, 2:1; "
         "default 1:1"},
        {optional("pod", &T::pod, group_size()),
         "racks, or nodes, under one switch above the racks"},
        {optional("pod_link", &T::pod_link, UplinkRule{}), "as rack_link, of a pod"},
        {optional("torus", &T::torus, SidesRule{}),
         "sides of a torus of nodes, instead of racks and pods"},
        {optional("tile", &T::tile, SidesRule{}),
         "sides of the tiles of a torus, a level of their own"},
    };
}

std::vector<Key<TopologySpec>> short_form_rows() {
    std::vector<Key<TopologySpec>> rows = gpu_link_rows();
    for (Key<TopologySpec>& row : network_rows())
        rows.push_back(std::move(row));
    return rows;
}

void check_short_form(const Reader& at, TopologySpec& spec, const KeysRead&) {
    spec.written[""] = {at.node().place(), at.path()};
    for (const Pair& pair : at.node().pairs) {
        const Reader value = at.member(pair.key.text, pair.value);
        spec.written[pair.key.text] = {value.node().place(), value.path()};
    }
    const auto needs = [&](std::string_view key, std::string_view other, bool is_there) {
        if (const auto unused = at.find(key); unused && !is_there)
            unused->mistake(fmt::format("has no effect without {}", other));
    };
    needs("rack_link", "rack", spec.rack.has_value());
    needs("pod_link", "pod", spec.pod.has_value());
    needs("tile", "torus", !spec.torus.empty());
    if (const auto rack = at.find("rack"); rack && spec.rack && spec.rack->in_racks)
        rack->mistake("counts racks", "a rack is made of nodes");
    if (const auto pod = at.find("pod"); pod && spec.pod && spec.pod->in_racks && !spec.rack)
        pod->mistake("counts racks", "no rack is given", "give nodes, or the key rack");
}

/// Starts from an entry of the catalogue; other keys override it.
Key<TopologySpec> like_row() {
    return {{"like",
             Presence::optional,
             [](const Reader& at, TopologySpec& spec) {
                 const auto name = one_of(builtin_topologies().names()).read(at);
                 if (name)
                     spec = builtin_topologies().find(*name)->spec;
             },
             [] { return one_of(builtin_topologies().names()).schema(); }},
            "a topology of the catalogue to start from"};
}

Table<TopologySpec> topology_keys() {
    std::vector<Key<TopologySpec>> rows{like_row()};
    rows.push_back({optional("file", &TopologySpec::file, file()),
                    "a graph of devices and links, instead of all other keys"});
    for (Key<TopologySpec>& row : short_form_rows())
        rows.push_back(std::move(row));
    return table<TopologySpec>(rows).check(
        [](const Reader& at, TopologySpec& spec, const KeysRead& keys) {
            if (at.find("file"))
                for (const Pair& pair : at.node().pairs)
                    if (pair.key.text != "file")
                        at.mistake_at(
                            pair.key.text, "cannot be combined with file", "the file defines it");
            check_short_form(at, spec, keys);
        });
}

Table<NamedTopology> named_topology_keys() {
    using T = NamedTopology;
    return table<T>({
        {required("name", &T::name, identifier()), "unique; the value of `topology`"},
        {required("summary", &T::summary, text()), "description in one line"},
        {required("nodes", &T::nodes, whole_number(1, 1'000'000)), "nodes it is drawn with"},
        {required("gpus_per_node", &T::gpus_per_node, whole_number(1, 1'000)), "it was made for"},
        {required("gpu", &T::gpu, text()), "GPU it was made for"},
        {required("topology", &T::spec, short_form_keys()), "the fabric in short form"},
        {required("source", &T::source, text()), "where it is described"},
        {required("date", &T::date, calendar_day()), "when that was read"},
    });
}

} // namespace

Table<TopologySpec> short_form_keys() {
    return table<TopologySpec, check_short_form>(short_form_rows());
}

std::optional<TopologySpec> TopologyRule::read(const Reader& at) const {
    if (at.node().kind == NodeKind::mapping)
        return topology_keys().read(at);
    const std::optional<std::string> name = one_of(builtin_topologies().names()).read(at);
    if (!name)
        return std::nullopt;
    TopologySpec spec = builtin_topologies().find(*name)->spec;
    spec.written = {{"", {at.node().place(), at.path()}}};
    return spec;
}

Schema TopologyRule::schema() const {
    return {{"anyOf", {one_of(builtin_topologies().names()).schema(), topology_keys().schema()}}};
}

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
