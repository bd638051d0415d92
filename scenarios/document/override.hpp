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
    std::string value;    ///< YAML; empty: what stands at `path` is left out
    std::string origin{}; ///< as messages call it, e.g. "--vary 2"; empty: "--set N", its number
    std::string
        directory{}; ///< relative file names in the value start here; empty: the current one
};

/// Splits at the first '='. Throws ScenarioError if there is none or nothing before it.
Override parse_override(std::string_view text);

/// `root` with the overrides laid over it, in order. An element of a list is addressed by its
/// `pool` name or its index; mappings missing on the way are made, and the name of a policy is
/// written out where the path goes on into its options (`policy.queue.by`). File names in a value
/// are relative to its directory. An empty value takes a key, or an element of a list,
/// away, as if it had never been written. Places in a value read as its origin says, N counted
/// from 1. A path that leads nowhere, nothing to take away and a value that is not YAML are
/// reported into `findings`.
Node with_overrides(Node root, std::span<const Override> sets, Findings& findings);

}} // namespace bursar::scenarios
