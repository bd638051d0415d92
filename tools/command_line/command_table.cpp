#include "tools/command_line/command_table.hpp"

namespace bursar { inline namespace tools {

std::vector<const CommandEntry*> all_in(const CommandEntry& top) {
    std::vector<const CommandEntry*> all{&top};
    for (const CommandEntry& command : top.commands)
        for (const CommandEntry* below : all_in(command))
            all.push_back(below);
    return all;
}

}} // namespace bursar::tools
