#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "scenarios/document/node.hpp"
#include "scenarios/document/parse_document.hpp"

#include "tests/properties.hpp"

namespace bursar::test {

/// The tree as YAML in flow style; quoted strings stay quoted.
inline std::string as_yaml(const Node& node) {
    std::string out;
    switch (node.kind) {
    case NodeKind::null:
        return "~";
    case NodeKind::scalar:
        return node.quoted ? nlohmann::json(node.text).dump() : node.text;
    case NodeKind::sequence:
        for (const Node& item : node.items)
            out += (out.empty() ? "" : ", ") + as_yaml(item);
        return "[" + out + "]";
    case NodeKind::mapping:
        for (const Pair& pair : node.pairs)
            out += (out.empty() ? "" : ", ") + as_yaml(pair.key) + ": " + as_yaml(pair.value);
        return "{" + out + "}";
    }
    return out;
}

inline void collect_nodes(Node& node, std::vector<Node*>& nodes) {
    nodes.push_back(&node);
    for (Node& item : node.items)
        collect_nodes(item, nodes);
    for (Pair& pair : node.pairs)
        collect_nodes(pair.value, nodes);
}

/// Values that are valid for a few keys only.
inline const std::vector<std::string>& some_values() {
    static const std::vector<std::string> values{"~",
                                                 "0",
                                                 "1",
                                                 "-1",
                                                 "8",
                                                 "1.5",
                                                 "1e3",
                                                 "true",
                                                 "x",
                                                 "''",
                                                 "'8'",
                                                 "\"1 s\"",
                                                 "3 s",
                                                 "3 d",
                                                 "0 s",
                                                 "5",
                                                 "2.10",
                                                 "2.10 USD/gpu-h",
                                                 "2 USD/node-h",
                                                 "-1 USD/gpu-h",
                                                 "nan USD/gpu-h",
                                                 "1 USD/gpu",
                                                 "3 W",
                                                 "0.1 USD/kWh",
                                                 "8..",
                                                 "..4",
                                                 "1..2",
                                                 "..",
                                                 "a..b",
                                                 "[]",
                                                 "[a]",
                                                 "{}",
                                                 "{a: 1}",
                                                 "[[1]]",
                                                 "[{}]",
                                                 "owned",
                                                 "spot",
                                                 "fifo",
                                                 "csv",
                                                 "philly",
                                                 "UTC",
                                                 "2017-10-09",
                                                 "99999999999999999999",
                                                 "1000001",
                                                 "1234567890123456789 s",
                                                 "1 sec",
                                                 "1.2.3 s",
                                                 "1,5 h",
                                                 "{like: philly, jobs: 3, gpus: 8}",
                                                 "{gpus: 8}",
                                                 "{file: x}",
                                                 "0x10",
                                                 "007",
                                                 ".inf",
                                                 "+1"};
    return values;
}

inline const std::vector<std::string>& some_keys() {
    static const std::vector<std::string> keys{"trace",
                                               "synthetic",
                                               "price",
                                               "owned",
                                               "term",
                                               "pool",
                                               "seeds",
                                               "tenant",
                                               "tenants",
                                               "nodes",
                                               "x",
                                               "bursar",
                                               "match",
                                               "gpus",
                                               "from",
                                               "name"};
    return keys;
}

/// One small change at a random place: a value replaced, a key removed or added, an element added.
inline void mutate(Node& root) {
    std::vector<Node*> nodes;
    collect_nodes(root, nodes);
    Node& node = *nodes[drawn::in_range<std::size_t>(0, nodes.size())];
    const auto any_value = [&] {
        return parse_document(drawn::element_of(some_values()), root.source);
    };
    const int change = drawn::in_range(0, 4);
    if (change == 0) {
        node = any_value();
    } else if (change == 1 && !node.pairs.empty()) {
        node.pairs.erase(node.pairs.begin() +
                         drawn::in_range<std::ptrdiff_t>(0, std::ssize(node.pairs)));
    } else if (change == 2 && node.kind == NodeKind::mapping) {
        const std::string key = drawn::element_of(some_keys());
        if (node.find(key) == nullptr)
            node.pairs.push_back({parse_document(key, root.source), any_value(), false});
    } else if (change == 3 && node.kind == NodeKind::sequence) {
        node.items.push_back(any_value());
    }
}

} // namespace bursar::test
