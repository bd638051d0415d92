#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bursar { inline namespace tools {

/// How the value of an option consists of names.
enum class NamesForm : std::uint8_t {
    one,    ///< one name
    list,   ///< names separated by commas
    first,  ///< a name and further text: "wait.p99 < 1 h"
    setting ///< a path of a scenario and its value: "policy.queue=sjf"; `choices` stay empty
};

/// An option of a command, or a positional argument.
struct OptionEntry {
    std::vector<std::string> names{};   ///< "--seed", "-h"; of an argument: "SCENARIO"
    std::string value{};                ///< name of its value in help texts; empty: none
    std::vector<std::string> choices{}; ///< names for its value; may be empty
    NamesForm form{};                   ///< of `choices`
    std::string help{};
    std::string default_value{}; ///< as help texts show it; empty: not shown
    bool required{};
    bool many{}; ///< an argument that may be repeated
};

/// A command with its subcommands: the source of help texts, manual pages and completions.
struct CommandEntry {
    std::string path{}; ///< "bursar trace info"
    std::string name{}; ///< "info"
    std::string help{};
    std::string footer{};
    std::vector<OptionEntry> options{};
    std::vector<OptionEntry> words{};
    std::vector<CommandEntry> commands{}; ///< without hidden ones
};

/// `top` and every command below it: a command before its own, in the order of the help text.
inline std::vector<const CommandEntry*> all_in(const CommandEntry& top) {
    std::vector<const CommandEntry*> all{&top};
    for (const CommandEntry& command : top.commands)
        for (const CommandEntry* below : all_in(command))
            all.push_back(below);
    return all;
}

}} // namespace bursar::tools
