#include "scenarios/document/override.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "scenarios/document/parse_document.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar { inline namespace scenarios {
namespace {

using Steps = std::vector<std::string>;

/// The mapping in which a name may stand for a mapping with the key `name`.
constexpr std::string_view named_choices = "policy";

/// Deeper than any scenario; the recursion must not exhaust the stack.
constexpr std::size_t max_path_steps = 100;

/// "fleet[0].nodes" and "fleet.0.nodes" are both fleet, 0, nodes. Absent for a malformed
/// path, and for one that is too long.
std::optional<Steps> split(std::string_view path) {
    Steps steps;
    for (std::size_t at = 0;; ++at) {
        const std::size_t end = path.find_first_of(".[", at);
        const std::string_view key = path.substr(at, end - at);
        if (key.empty())
            return std::nullopt;
        steps.emplace_back(key);
        at = end;
        while (at < path.size() && path[at] == '[') {
            const std::size_t close = path.find(']', at);
            if (close == std::string_view::npos || close == at + 1)
                return std::nullopt;
            steps.emplace_back(path.substr(at + 1, close - at - 1));
            at = close + 1;
        }
        if (steps.size() > max_path_steps)
            return std::nullopt;
        if (at >= path.size())
            return steps;
        if (path[at] != '.')
            return std::nullopt;
    }
}

std::optional<std::size_t> as_index(std::string_view step) {
    std::size_t index{};
    const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
    if (error != std::errc{} || end != step.data() + step.size())
        return std::nullopt;
    return index;
}

/// Applies one override.
class Descent {
  public:
    Descent(const Override& change, std::shared_ptr<const Source> source, Findings& findings)
        : change_{change}, source_{std::move(source)}, findings_{findings} {}

    void apply(Node& root) {
        const std::optional<Steps> steps = split(change_.path);
        if (!steps) {
            findings_.add(
                made(NodeKind::null),
                {{},
                 {},
                 in_quotes(change_.path) + " is not a path",
                 fmt::format("a path is like \"policy.queue\" or \"fleet.POOL.nodes\", of at "
                             "most {} steps",
                             max_path_steps),
                 {}});
            return;
        }
        if (change_.value.empty())
            leave_out(root, *steps);
        else if (std::optional<Node> value = parsed_value())
            if (Node* at = descend(root, *steps))
                *at = std::move(*value);
    }

  private:
    /// The node at the end of `steps`; missing mappings are made.
    Node* descend(Node& root, std::span<const std::string> steps) {
        Node* at = &root;
        for (std::size_t depth = 0; depth < steps.size() && at != nullptr; ++depth) {
            if (depth == 2 && steps.front() == named_choices && at->kind == NodeKind::scalar)
                write_out(*at);
            at = at->kind == NodeKind::sequence ? element(*at, steps[depth])
                                                : member(*at, steps[depth]);
        }
        return at;
    }

    void leave_out(Node& root, const Steps& steps) {
        Node* parent = &root;
        for (std::size_t depth = 0; depth + 1 < steps.size(); ++depth) {
            const std::string& step = steps[depth];
            if (parent->kind == NodeKind::sequence)
                parent = element(*parent, step);
            else if (Node* found = parent->find(step))
                parent = found;
            else
                return report_unwritten(*parent, step);
            if (parent == nullptr)
                return;
        }
        const std::string& last = steps.back();
        if (parent->kind == NodeKind::sequence) {
            if (const Node* found = element(*parent, last))
                parent->items.erase(parent->items.begin() + (found - parent->items.data()));
            return;
        }
        const auto found =
            std::ranges::find(parent->pairs, last, [](const Pair& pair) { return pair.key.text; });
        if (found == parent->pairs.end())
            return report_unwritten(*parent, last);
        parent->pairs.erase(found);
        parent->unset.push_back(made(NodeKind::scalar));
        parent->unset.back().text = last;
    }

    void report_unwritten(const Node& parent, const std::string& step) {
        std::vector<std::string> written;
        for (const Pair& pair : parent.pairs)
            written.push_back(pair.key.text);
        const bool is_near = !nearest_names(step, written).empty();
        report(fmt::format("{} is not set, so it cannot be removed", in_quotes(step)),
               {},
               is_near ? suggestion(step, written) : "");
    }

    /// Absent, after a report, if it is not YAML.
    std::optional<Node> parsed_value() {
        try {
            return parse_document(change_.value, source_);
        } catch (const ScenarioError& error) {
            const Finding& finding = error.findings().front();
            report(finding.problem, finding.why, finding.suggestion);
        }
        return std::nullopt;
    }

    [[nodiscard]] Node made(NodeKind kind) const {
        Node node;
        node.kind = kind;
        node.source = source_;
        return node;
    }

    /// Expands the short form `las` to `{name: las}`.
    void write_out(Node& short_form) {
        Node mapping = made(NodeKind::mapping);
        Node key = made(NodeKind::scalar);
        key.text = "name";
        mapping.pairs.push_back({std::move(key), std::move(short_form), false});
        short_form = std::move(mapping);
    }

    Node* member(Node& parent, const std::string& step) {
        if (parent.kind == NodeKind::null)
            parent = made(NodeKind::mapping);
        if (parent.kind != NodeKind::mapping) {
            report(fmt::format("{} cannot be reached", in_quotes(step)),
                   fmt::format("its parent is {}", shown(parent)),
                   {});
            return nullptr;
        }
        if (Node* found = parent.find(step))
            return found;
        Node key = made(NodeKind::scalar);
        key.text = step;
        parent.pairs.push_back({std::move(key), made(NodeKind::null), false});
        return &parent.pairs.back().value;
    }

    Node* element(Node& list, const std::string& step) {
        std::vector<std::string> labels;
        for (Node& item : list.items) {
            const std::string_view label = element_label(item);
            if (!label.empty() && label == step)
                return &item;
            if (!label.empty())
                labels.emplace_back(label);
        }
        if (const auto index = as_index(step)) {
            if (*index < list.items.size())
                return &list.items[*index];
            report(fmt::format("there is no element {}", in_quotes(step)),
                   fmt::format("the list has {}", list.items.size()),
                   {});
            return nullptr;
        }
        report(
            fmt::format("no element is named {}", in_quotes(step)), {}, suggestion(step, labels));
        return nullptr;
    }

    void report(std::string problem, std::string why, std::string suggestion) {
        findings_.add(
            made(NodeKind::null),
            {{}, change_.path, std::move(problem), std::move(why), std::move(suggestion)});
    }

    const Override& change_;
    std::shared_ptr<const Source> source_;
    Findings& findings_;
};

} // namespace

Override parse_override(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string_view::npos)
        throw ScenarioError{Finding{{"--set"}, {}, in_quotes(text) + " is not PATH=VALUE", {}, {}}};
    return {std::string{text.substr(0, equals)}, std::string{text.substr(equals + 1)}};
}

Node with_overrides(Node root, std::span<const Override> sets, Findings& findings) {
    // Sorted after all files in the list of mistakes.
    constexpr std::uint32_t first_order = std::numeric_limits<std::uint32_t>::max() / 2;
    for (std::uint32_t n = 0; n < sets.size(); ++n) {
        const auto source = std::make_shared<const Source>(
            Source{sets[n].origin.empty() ? fmt::format("--set {}", n + 1) : sets[n].origin,
                   sets[n].directory,
                   first_order + n,
                   /*has_lines=*/false});
        Descent{sets[n], source, findings}.apply(root);
    }
    return root;
}

}} // namespace bursar::scenarios
