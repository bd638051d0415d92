#include "scenarios/keys/policy/preset_layer.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "scenarios/document/load_document.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/number_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Makes nodes that are marked as coming from a preset.
class PresetNodes {
  public:
    explicit PresetNodes(const PresetInfo& preset)
        : source_{std::make_shared<const Source>(Source{fmt::format("preset {}", preset.name),
                                                        {},
                                                        std::numeric_limits<std::uint32_t>::max(),
                                                        /*has_lines=*/false,
                                                        /*written=*/false})} {}

    [[nodiscard]] Node value(std::string_view text) const { return parse_document(text, source_); }
    [[nodiscard]] Node made(NodeKind kind) const {
        Node node;
        node.kind = kind;
        node.source = source_;
        return node;
    }
    /// A policy, its name written out as a mapping.
    [[nodiscard]] Node mapping(std::string_view text) const {
        Node policy = value(text);
        if (policy.kind == NodeKind::mapping)
            return policy;
        Node mapping = made(NodeKind::mapping);
        member(mapping, "name") = std::move(policy);
        return mapping;
    }
    /// The value of `key`, added if it is missing.
    Node& member(Node& mapping, std::string_view key) const {
        if (Node* found = mapping.find(key))
            return *found;
        Node name = made(NodeKind::scalar);
        name.text = key;
        mapping.pairs.push_back({std::move(name), made(NodeKind::null), false});
        return mapping.pairs.back().value;
    }

  private:
    std::shared_ptr<const Source> source_;
};

std::string range_text(const CountRange& range) {
    return fmt::format("{}..{}",
                       range.min ? std::to_string(*range.min) : "",
                       range.max ? std::to_string(*range.max) : "");
}

CountRange range_of(const Node& node) {
    Findings none;
    return count_range().read(Reader{node, none}).value_or(CountRange{});
}

/// Gang sizes in both ranges; absent: none.
std::optional<CountRange> common(const CountRange& a, const CountRange& b) {
    constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();
    const std::int64_t min = std::max(a.min.value_or(1), b.min.value_or(1));
    const std::int64_t max = std::min(a.max.value_or(no_end), b.max.value_or(no_end));
    if (min > max)
        return std::nullopt;
    return CountRange{min, max == no_end ? std::nullopt : std::optional{max}};
}

/// The preset's settings that a class does not give.
std::vector<PresetSetting>
open_settings(const Node& job_class, const PresetInfo& preset, bool preempts) {
    std::vector<PresetSetting> open;
    for (const PresetSetting& setting : preset.settings)
        if (setting.is_of_classes() && (preempts || !setting.only_preempting) &&
            job_class.find(setting.key) == nullptr)
            open.push_back(setting);
    return open;
}

/// The ranges of gang sizes of a class that get different settings, in order.
std::vector<std::pair<std::string_view, CountRange>>
parts_of(const Node& job_class, const std::vector<PresetSetting>& open, const PresetNodes& nodes) {
    const Node* match = job_class.find("match");
    const Node* gpus = match == nullptr ? nullptr : match->find("gpus");
    const CountRange own = gpus == nullptr ? CountRange{} : range_of(*gpus);
    std::vector<std::pair<std::string_view, CountRange>> parts;
    for (const PresetSetting& setting : open) {
        const bool known = std::ranges::find(parts, setting.gangs, [](const auto& part) {
                               return part.first;
                           }) != parts.end();
        if (setting.gangs.empty() || known)
            continue;
        if (const auto range = common(own, range_of(nodes.value(setting.gangs))))
            parts.emplace_back(setting.gangs, *range);
    }
    return parts;
}

void add_class(const Node& job_class,
               const PresetInfo& preset,
               bool preempts,
               std::vector<Node>& classes) {
    const PresetNodes nodes{preset};
    const std::vector<PresetSetting> open = open_settings(job_class, preset, preempts);
    auto parts = parts_of(job_class, open, nodes);
    if (parts.empty())
        parts.emplace_back();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        Node part = job_class;
        for (const PresetSetting& setting : open)
            if (setting.gangs.empty() || setting.gangs == parts[i].first)
                nodes.member(part, setting.key) = nodes.value(setting.value);
        if (i + 1 < parts.size()) { // the last one takes the rest of the class
            Node& match = nodes.member(part, "match");
            match.kind = NodeKind::mapping;
            nodes.member(match, "gpus") = nodes.value(range_text(parts[i].second));
        }
        classes.push_back(std::move(part));
    }
}

/// The entry named by any spelling of its name; null: none.
template <class Named>
const Named* meant_of(const Node& written, const std::vector<Named>& all) {
    std::vector<std::string> names;
    for (const Named& one : all)
        names.emplace_back(one.name);
    const std::string* meant = meant_name(written.text, names);
    return meant == nullptr ? nullptr : &all[static_cast<std::size_t>(meant - names.data())];
}

/// Whether the queue order of `policy` preempts running jobs.
bool queue_preempts(const Node& policy, const std::vector<PolicyInfo>& queues) {
    const Node* queue = policy.find("queue");
    if (queue != nullptr && queue->kind == NodeKind::mapping)
        queue = queue->find("name");
    if (queue == nullptr)
        return false;
    const PolicyInfo* found = meant_of(*queue, queues);
    return found != nullptr && found->order.preempts;
}

} // namespace

const PresetInfo* preset_of(const Node& root, const std::vector<PresetInfo>& presets) {
    const Node* policy = root.kind == NodeKind::mapping ? root.find("policy") : nullptr;
    const Node* name =
        policy == nullptr || policy->kind != NodeKind::mapping ? nullptr : policy->find("preset");
    return name == nullptr ? nullptr : meant_of(*name, presets);
}

Node with_preset_policies(Node root,
                          const PresetInfo& preset,
                          const std::vector<PolicyInfo>& queues) {
    const PresetNodes nodes{preset};
    Node& policy = nodes.member(root, "policy");
    constexpr std::string_view prefix = "policy.";
    for (const PresetSetting& setting : preset.settings) {
        if (setting.is_of_classes() || (setting.only_preempting && !queue_preempts(policy, queues)))
            continue;
        const std::string_view key = setting.key.substr(prefix.size());
        Node* written = policy.find(key);
        if (written == nullptr)
            nodes.member(policy, key) = nodes.value(setting.value);
        else if (written->kind == NodeKind::mapping && written->find("name") == nullptr)
            *written = merged(nodes.mapping(setting.value), std::move(*written));
    }
    return root;
}

Node with_preset_classes(Node root, const PresetInfo& preset, bool preempts) {
    const PresetNodes nodes{preset};
    Node& list = nodes.member(nodes.member(root, "workload"), "classes");
    std::vector<Node> classes;
    if (list.items.empty())
        add_class(nodes.made(NodeKind::mapping), preset, preempts, classes);
    for (const Node& job_class : list.items)
        add_class(job_class, preset, preempts, classes);
    list.kind = NodeKind::sequence;
    list.items = std::move(classes);
    return root;
}

}} // namespace bursar::scenarios
