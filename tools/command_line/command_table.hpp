#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bursar { inline namespace tools {

/// How names make up the value of an option.
enum class NamesForm : std::uint8_t {
    one,  ///< it is one of them
    list, ///< some of them, with commas between them
    first ///< one of them and more behind it: "wait.p99 < 1 h"
};

/// An option of a command, or a word that is told by its place.
struct OptionEntry {
    std::vector<std::string> names{};   ///< "--seed", "-h"; of a word its name: "SCENARIO"
    std::string value{};                ///< what the help text calls its value; empty: it has none
    std::vector<std::string> choices{}; ///< names that its value may be made of; may be empty
    NamesForm form{};                   ///< of these
    std::string help{};
    std::string default_value{}; ///< as the help text shows it; empty: it does not
    bool required{};
    bool many{}; ///< a word that may be given several times
};

/// A command as the help text has it, with its own commands: what man pages and completions are
/// made of.
struct CommandEntry {
    std::string path{}; ///< "bursar trace info"
    std::string name{}; ///< "info"
    std::string help{};
    std::string footer{};
    std::vector<OptionEntry> options{};
    std::vector<OptionEntry> words{};
    std::vector<CommandEntry> commands{}; ///< but for hidden ones
};

/// Each command below `top`, and itself, from the outside in and in the order of the help text.
inline std::vector<const CommandEntry*> all_in(const CommandEntry& top) {
    std::vector<const CommandEntry*> all{&top};
    for (const CommandEntry& command : top.commands)
        for (const CommandEntry* below : all_in(command))
            all.push_back(below);
    return all;
}

}} // namespace bursar::tools
