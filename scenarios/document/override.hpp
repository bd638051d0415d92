#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/document/findings.hpp"
#include "scenarios/document/node.hpp"

namespace bursar { inline namespace scenarios {

/// One `--set PATH=VALUE`: a change of a scenario from outside its files.
struct Override {
    std::string path; ///< "policy.queue", "fleet.aws-spot.nodes", "fleet[0].nodes", "fleet.0.nodes"
    std::string value;    ///< YAML; empty: removes the value at `path`
    std::string origin{}; ///< its name in messages, e.g. "--vary 2"; empty: "--set N"
    std::string
        directory{}; ///< relative file names in the value start here; empty: the current one
};

/// Splits at the first '='. Throws ScenarioError if there is none or nothing before it.
Override parse_override(std::string_view text);

/// `root` with the overrides applied in order. A list element is addressed by its `pool` name or
/// its index. Missing mappings are made. A policy's name is expanded if the path goes on into its
/// options (`policy.queue.by`). File names in a value are relative to its directory. An empty value
/// removes a key or an element of a list. The place of a value is its origin, N counted from 1. An
/// unknown path, a missing value to remove and a value that is not YAML are reported into
/// `findings`.
Node with_overrides(Node root, std::span<const Override> sets, Findings& findings);

}} // namespace bursar::scenarios
