#include "tools/simulate/known_names.hpp"

#include "policies/catalog.hpp"
#include "policies/presets.hpp"

#include "scenarios/catalog/profiles.hpp"
#include "scenarios/traces/registry.hpp"

namespace bursar { inline namespace tools {

KnownNames known_names() {
    KnownNames names;
    names.policies = policy_catalog();
    names.presets.assign(presets().begin(), presets().end());
    for (const TraceFormat& format : trace_formats())
        names.trace_formats.emplace_back(format.name);
    names.synthetic = builtin_profiles().names();
    return names;
}

}} // namespace bursar::tools
