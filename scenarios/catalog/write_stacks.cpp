#include <fmt/format.h>

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/document/flow_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

void put_fitted_on(std::string& out, const FittedOn& seen) {
    out += fmt::format("      - source: {}\n", yaml_quoted(seen.source));
    if (seen.rows.empty())
        return;
    out += "        rows:\n";
    for (const std::string& ids : seen.rows)
        out += fmt::format("          - {}\n", yaml_quoted(ids));
}

void put_profile(std::string& out, const StackProfile& profile) {
    out += fmt::format("  - name: {}\n", yaml_quoted(profile.name));
    if (!profile.frameworks.empty()) {
        out += "    frameworks:\n";
        for (const std::string& framework : profile.frameworks)
            out += fmt::format("      - {}\n", yaml_quoted(framework));
    }
    out += fmt::format("    source: {}\n", yaml_quoted(profile.source));
    if (!profile.fitted_on.empty()) {
        out += "    fitted_on:\n";
        for (const FittedOn& seen : profile.fitted_on)
            put_fitted_on(out, seen);
    }
    if (profile.held_out_error)
        out += fmt::format("    held_out_error: {}\n", *profile.held_out_error);
    out += "    constants:\n";
    for (const ProfileConstant& constant : profile_constants())
        out += fmt::format("      {}: {}\n", constant.name, constant.get(profile));
}

} // namespace

std::string stacks_yaml(const Stacks& stacks) {
    std::string out{"stacks:\n"};
    for (const StackProfile& profile : stacks.all)
        put_profile(out, profile);
    return out;
}

}} // namespace bursar::scenarios
