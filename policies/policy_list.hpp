#pragma once

#include <string_view>
#include <type_traits>
#include <vector>

namespace bursar {

/// Name and one line of what a policy does, for `bursar policies` and for messages.
struct PolicyInfo {
    std::string_view slot;
    std::string_view name;
    std::string_view summary;
};

/// An explicit list of policy types: the registry of one slot. Each has `name` and `summary`.
template <class... Policies>
struct PolicyList {
    static std::vector<PolicyInfo> infos(std::string_view slot) {
        return {PolicyInfo{slot, Policies::name, Policies::summary}...};
    }

    /// Calls `use(std::type_identity<Policy>{})` with the policy of that name; false if there is
    /// none.
    template <class Use>
    static bool with(std::string_view name, Use use) {
        return ((name == Policies::name && (use(std::type_identity<Policies>{}), true)) || ...);
    }
};

} // namespace bursar
