#include "scenarios/catalog/stacks.hpp"

#include <algorithm>

#include "scenarios/catalog/builtin_files.hpp"
#include "scenarios/catalog/named_list.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

Table<FittedOn> fitted_on_keys() {
    return table<FittedOn>({
        required("source", &FittedOn::source, text(), "`source` of the measurements"),
        optional("rows",
                 &FittedOn::rows,
                 list_of(text(), 0),
                 "their ids, or ranges of them: bench-001..109, bench-0001..1437 by 4 (all rows of "
                 "the source)"),
    });
}

/// The constants of a profile, within their physical bounds.
Table<StackProfile> constant_keys() {
    std::vector<Key<StackProfile>> keys;
    for (const ProfileConstant& constant : profile_constants()) {
        const NumberRule rule{constant.min, Bound::included, constant.max};
        keys.push_back(
            {{std::string{constant.name}, std::string{constant.meaning}, Presence::optional},
             [rule, &constant](const Reader& at, StackProfile& profile) {
                 if (const std::optional<double> value = rule.read(at))
                     constant.set(profile, *value);
             },
             [rule] { return rule.schema(); }});
    }
    return table(std::move(keys));
}

Table<StackProfile> stack_keys() {
    return table<StackProfile>({
        required("name", &StackProfile::name, text(), "unique; the value of `stack`"),
        optional("frameworks",
                 &StackProfile::frameworks,
                 list_of(text(), 0),
                 "`framework` names of measurements it speaks for"),
        required("source", &StackProfile::source, text(), "how its constants were found"),
        optional("fitted_on",
                 &StackProfile::fitted_on,
                 list_of(fitted_on_keys(), 0),
                 "measurements its constants were fitted on (none)"),
        optional("held_out_error",
                 &StackProfile::held_out_error,
                 NumberRule{0, Bound::included, 10},
                 "mean absolute error of its step times on measurements it did not see, as a share "
                 "(not known)"),
        section("constants", Presence::optional, constant_keys(), "the others keep their defaults"),
    });
}

} // namespace

const StackProfile* Stacks::find(std::string_view name) const {
    return find_named(all, name);
}

const StackProfile* Stacks::for_framework(std::string_view framework) const {
    const auto found = std::ranges::find_if(all, [&](const StackProfile& profile) {
        return std::ranges::find(profile.frameworks, framework) != profile.frameworks.end();
    });
    return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> Stacks::names() const {
    return names_of(all);
}

const Stacks& builtin_stacks() {
    static const Stacks stacks = read_stacks_text(builtin_stacks_yaml, "stacks.yaml");
    return stacks;
}

Stacks read_stacks(const std::string& path) {
    return {read_named_file(path, "stacks", stack_keys())};
}

Stacks read_stacks_text(std::string_view text, const std::string& file) {
    return {read_named_text(text, file, "stacks", stack_keys())};
}

}} // namespace bursar::scenarios
