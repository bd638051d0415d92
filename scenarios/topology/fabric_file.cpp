#include "scenarios/topology/fabric_file.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

#include "scenarios/document/load_document.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/topology/name_pattern.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr const char* format_key = "bursar-fabric";

constexpr std::array latency_units{Unit{"ns", 1}, Unit{"us", 1'000}, Unit{"ms", 1'000'000}};
const Dimension latencies{"a latency", "300 ns", latency_units, 1'000'000'000, "1000 ms"};

struct LinkEntry {
    LinkPattern ends;
    std::int64_t bandwidth{};               ///< bytes per second
    std::optional<std::int64_t> latency_ns; ///< absent: not given
    double oversubscription{1};
};

struct FabricText {
    std::string name;
    std::string source;
    std::array<std::vector<NamePattern>, num_device_kinds> devices; ///< by DeviceKind
    std::vector<LinkEntry> links;
};

Table<FabricText> device_keys() {
    std::vector<Key<FabricText>> keys;
    for (std::size_t kind = 0; kind < num_device_kinds; ++kind)
        keys.push_back({key_row<FabricText>(
                            std::string{device_kind_names[kind]},
                            kind == 0 ? Presence::required : Presence::optional,
                            [kind](FabricText& text) -> std::vector<NamePattern>& {
                                return text.devices[kind];
                            },
                            one_or_list_of(NamePatternRule{})),
                        "names of devices of that kind"});
    return table(keys);
}

Table<LinkEntry> link_keys() {
    return table<LinkEntry>({
        {required("from", within(&LinkEntry::ends, &LinkPattern::from), NamePatternRule{}),
         "one end"},
        {required("to", within(&LinkEntry::ends, &LinkPattern::to), NamePatternRule{}),
         "the other end"},
        {required("bandwidth", &LinkEntry::bandwidth, amount(byte_rates, Zero::refused)),
         "of one direction of each link"},
        {optional("latency", &LinkEntry::latency_ns, amount(latencies)),
         "through the link and the device at its end; default: not known"},
        {optional("oversubscription", &LinkEntry::oversubscription, ratio()),
         "divides the bandwidth, 2:1; default 1:1"},
    });
}

Table<FabricText> fabric_keys() {
    return table<FabricText>({
        {noted<FabricText>(format_key, Presence::required, whole_number(1, 1)), "1, the format"},
        {optional("name", &FabricText::name, text()), "title of drawings; default the file's name"},
        {optional("source", &FabricText::source, text()), "where the fabric is described"},
        {section("devices", Presence::required, device_keys()), "devices by kind"},
        {required("links", &FabricText::links, list_of(link_keys())), "what joins them"},
    });
}

/// The elements of a list, or the value itself.
Reader nth(const Reader& at, std::size_t index) {
    return at.node().kind == NodeKind::sequence ? at.element(index) : at;
}

/// Makes the graph; reports contradictions at their places.
class FabricMaker {
  public:
    FabricMaker(const Reader& at, const FabricText& text)
        : at_{at}, text_{text}, fabric_{text.name} {}

    Fabric make() {
        const Reader devices = *at_.find("devices");
        for (std::size_t kind = 0; kind < num_device_kinds; ++kind)
            for (std::size_t i = 0; i < text_.devices[kind].size(); ++i)
                add_devices(nth(*devices.find(device_kind_names[kind]), i),
                            text_.devices[kind][i],
                            static_cast<DeviceKind>(kind));
        if (at_.num_mistakes() == 0)
            for (std::size_t i = 0; i < text_.links.size(); ++i)
                add_links(at_.find("links")->element(i), text_.links[i]);
        return fabric_.take();
    }

  private:
    void add_devices(const Reader& at, const NamePattern& pattern, DeviceKind kind) {
        double count = 1;
        for (const IndexTerm& term : pattern.terms) {
            if (term.letter != 0) {
                at.mistake("a letter stands for a number of another name", {}, "give a range");
                return;
            }
            count *= static_cast<double>(term.last - term.first + 1);
        }
        if (count > static_cast<double>(FabricBuilder::max_devices)) {
            at.mistake(fmt::format("names {:.0f} devices", count),
                       fmt::format("at most {}", FabricBuilder::max_devices));
            return;
        }
        try {
            add_all(pattern, kind);
        } catch (const ModelError& error) {
            at.mistake(error.problem(), {}, error.remedy());
        }
    }

    void add_all(const NamePattern& pattern, DeviceKind kind) {
        std::vector<std::int64_t> indices;
        for (const IndexTerm& term : pattern.terms)
            indices.push_back(term.first);
        for (bool more = true; more;) {
            index_.add(pattern.shape, indices, fabric_.device(pattern.name(indices), kind));
            more = false;
            for (std::size_t i = indices.size(); i-- > 0 && !more;) {
                more = ++indices[i] <= pattern.terms[i].last;
                if (!more)
                    indices[i] = pattern.terms[i].first;
            }
        }
    }

    /// The devices of an end's shape; null, after a mistake, if there are none.
    const DevicesOfShape* devices_of(const Reader& at, const NamePattern& pattern) {
        if (const DevicesOfShape* devices = index_.find(pattern.shape))
            return devices;
        const std::vector<std::string> shapes = index_.shapes();
        for (const std::string& shape : shapes)
            if (const auto unequal = unequal_indices(shape, pattern.shape)) {
                at.mistake(
                    fmt::format("gives {} {} to {}",
                                unequal->other,
                                unequal->other == 1 ? "index" : "indices",
                                in_quotes(unequal->word)),
                    fmt::format("devices have {} there, as in {}", unequal->one, in_quotes(shape)),
                    "several ranges are several names");
                return nullptr;
            }
        at.mistake("no device matches " + in_quotes(at.node().text),
                   {},
                   suggestion(pattern.shape, shapes));
        return nullptr;
    }

    /// Reports an offset from a letter that only `to` uses.
    static bool has_loose_offset(const Reader& at_to, const LinkPattern& ends) {
        for (const IndexTerm& term : ends.to.terms)
            if (term.offset != 0 &&
                std::ranges::find(ends.from.terms, term.letter, &IndexTerm::letter) ==
                    ends.from.terms.end()) {
                at_to.mistake(
                    fmt::format("\"{0}+{1}\" counts from a letter that from does not have",
                                term.letter,
                                term.offset),
                    {},
                    fmt::format("give {0} in from, or \"{0}\" alone: any number", term.letter));
                return true;
            }
        return false;
    }

    void add_links(const Reader& at, const LinkEntry& entry) {
        const Reader at_from = *at.find("from");
        const DevicesOfShape* from = devices_of(at_from, entry.ends.from);
        const DevicesOfShape* to = devices_of(*at.find("to"), entry.ends.to);
        if (from == nullptr || to == nullptr)
            return;
        if (std::ranges::any_of(entry.ends.from.terms, &IndexTerm::offset)) {
            at_from.mistake("an offset is not allowed in to",
                            "from says which device it is behind");
            return;
        }
        if (has_loose_offset(*at.find("to"), entry.ends))
            return;
        const LinkPairs links = link_pairs(entry.ends, *from, *to, FabricBuilder::max_links);
        if (links.unmatched) {
            at.find("to")->mistake(
                fmt::format("leads to nothing from \"{}\"", fabric_.view().path(*links.unmatched)));
            return;
        }
        if (links.pairs.empty()) {
            at.mistake("joins no two devices");
            return;
        }
        const ByteRate rate{static_cast<double>(entry.bandwidth) / entry.oversubscription};
        std::optional<Seconds> latency;
        if (entry.latency_ns)
            latency = Seconds{static_cast<double>(*entry.latency_ns) * 1e-9};
        try {
            for (const auto& [one, other] : links.pairs)
                fabric_.link(one, other, rate, latency);
        } catch (const ModelError& error) {
            at.mistake(error.what());
        }
    }

    const Reader& at_;
    const FabricText& text_;
    FabricBuilder fabric_;
    DeviceIndex index_;
};

void check_not_empty(const Node& root, const std::string& file, const char* expected) {
    if (root.kind == NodeKind::null)
        fail_input(file, mistake("the file is empty", expected));
}

PoolFabric read(const Node& root, const std::string& file, Findings& findings) {
    findings.throw_if_any();
    check_not_empty(root, file, "expected a fabric, which begins with \"bursar-fabric: 1\"");
    const Reader at{root, findings};
    FabricText text;
    fabric_keys().read_into(at, text);
    findings.throw_if_any();
    if (text.name.empty())
        text.name = std::filesystem::path{file}.stem().string();
    PoolFabric out;
    out.fabric = FabricMaker{at, text}.make();
    findings.throw_if_any();
    try {
        out.locality = locality_of(out.fabric);
    } catch (const ModelError& error) {
        at.mistake_at(error.parameter(), error.problem(), {}, error.remedy());
    }
    findings.throw_if_any();
    return out;
}

} // namespace

bool is_fabric_file(const std::string& path) {
    Findings findings;
    const Node root = DocumentLoader{findings}.load_file(path);
    findings.throw_if_any();
    check_not_empty(root,
                    path,
                    "expected a fabric, which begins with \"bursar-fabric: 1\", or a scenario, "
                    "which begins with \"bursar: 1\"");
    return root.kind == NodeKind::mapping && root.find(format_key) != nullptr;
}

PoolFabric read_fabric(const std::string& path) {
    Findings findings;
    const Node root = DocumentLoader{findings}.load_file(path);
    return read(root, path, findings);
}

PoolFabric read_fabric_text(std::string_view text, const std::string& file) {
    Findings findings;
    const Node root = DocumentLoader{findings}.load_text(text, file);
    return read(root, file, findings);
}

}} // namespace bursar::scenarios
