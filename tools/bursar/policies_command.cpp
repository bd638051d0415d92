#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "policies/catalog.hpp"

#include "tools/bursar/command.hpp"

namespace bursar {

void add_policies_command(CLI::App& program) {
    CLI::App* command =
        program.add_subcommand("policies", "the policies a scenario may name, slot by slot");
    command->callback([] {
        std::string_view slot;
        for (const PolicyInfo& info : policy_catalog()) {
            if (info.slot != slot)
                fmt::print("{}policy.{}\n", slot.empty() ? "" : "\n", info.slot);
            fmt::print(
                "  {:<14}{}{}\n", info.name, info.summary, info.slot != slot ? " (default)" : "");
            slot = info.slot;
        }
    });
}

} // namespace bursar
