#include "policies/choice_flaw.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "policies/policy_conflict.hpp"
#include "policies/policy_slots.hpp"

namespace bursar { inline namespace policies {
namespace {

using Numbers = std::vector<std::int64_t>;

std::int64_t num_words(const OptionInfo& option) {
    return std::ranges::count_if(option.choices,
                                 [](std::string_view word) { return !word.empty(); });
}

bool is_in_range(const OptionInfo& option, std::int64_t number) {
    if (option.kind == OptionKind::choice)
        return number >= 0 && number < num_words(option);
    if (option.kind == OptionKind::gpu_time_file)
        return number >= 0;
    return number >= option.min && number <= option.max;
}

bool is_valid(const OptionInfo& option, const Numbers& numbers) {
    const bool is_file = option.kind == OptionKind::gpu_time_file;
    const std::size_t most = option.is_list ? FewNumbers::max : 1;
    if (numbers.empty() || (!is_file && numbers.size() > most))
        return false;
    if (!std::ranges::all_of(numbers, [&](std::int64_t one) { return is_in_range(option, one); }))
        return false;
    Numbers different = numbers;
    std::ranges::sort(different);
    const bool has_twice = std::ranges::adjacent_find(different) != different.end();
    return is_file || (!has_twice && (option.kind == OptionKind::choice || different == numbers));
}

std::optional<std::string> flaw_in(const PolicySlot& row, const PolicySetting& setting) {
    if (setting.name.empty() && !row.unchosen.empty())
        return std::nullopt;
    const std::vector<PolicyInfo> policies = row.policies(row.name);
    const auto policy = std::ranges::find(policies, setting.name, &PolicyInfo::name);
    if (policy == policies.end())
        return "unknown " + std::string{row.name} + " \"" + setting.name + "\"";
    for (const auto& [name, numbers] : setting.options.given()) {
        const OptionInfo* option = option_of(*policy, name);
        if (option == nullptr || !is_valid(*option, numbers))
            return "option `" + name + "` of " + setting.name + " is none, or out of range";
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string> choice_flaw(const PolicyChoice& choice) {
    if (choice.head > HeadRule::skip || choice.sharing > Sharing::exclusive ||
        choice.quantum < Duration{})
        return "a number of its policies is out of range";
    for (const PolicySlot& row : policy_slots())
        if (std::optional<std::string> flaw = flaw_in(row, row.chosen(choice)))
            return flaw;
    if (const std::optional<PolicyConflict> conflict = policy_conflict(choice))
        return conflict->problem + " (" + conflict->why + ")";
    return std::nullopt;
}

}} // namespace bursar::policies
