#pragma once

#include <string>
#include <vector>

#include "policies/choice/presets.hpp"
#include "policies/describe/policy_list.hpp"

#include "scenarios/document/node.hpp"

namespace bursar { inline namespace scenarios {

/// The preset that a document names in `policy.preset`; null if it names none or an unknown one.
const PresetInfo* preset_of(const Node& root, const std::vector<PresetInfo>& presets);

/// The document with the preset's policies in the slots that it leaves open. A mapping without
/// `name` changes options of the preset's policy. queues: every queue order.
Node with_preset_policies(Node root,
                          const PresetInfo& preset,
                          const std::vector<PolicyInfo>& queues);

/// The document with the preset's settings in job classes that do not give them. A class whose gang
/// sizes get different values becomes several classes in a row. Precondition: the document was read
/// without mistakes. preempts: whether running jobs are preempted.
Node with_preset_classes(Node root, const PresetInfo& preset, bool preempts);

}} // namespace bursar::scenarios
