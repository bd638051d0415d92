#include <fmt/ranges.h>

#include "tools/bursar/pages/pages.hpp"

namespace bursar { inline namespace tools {
namespace {

std::string quoted_for_fish(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\')
            out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out + "'";
}

/// "-s h" or "-l seed".
std::string spelling(const std::string& name) {
    return name.starts_with("--") ? "-l " + name.substr(2) : "-s " + name.substr(1);
}

/// Completion of the value of an option; files if its names are not known.
std::string names_of(const OptionEntry& option) {
    if (option.form == NamesForm::setting)
        return " -x -a '(__bursar_setting)'";
    if (option.choices.empty())
        return " -r";
    const std::string names = fmt::format("{}", fmt::join(option.choices, " "));
    return option.form == NamesForm::list ? fmt::format(" -x -a '(__bursar_list {})'", names)
                                          : fmt::format(" -x -a '{}'", names);
}

void put_command(const CommandEntry& command, std::string& script) {
    const std::string begin =
        fmt::format("complete -c bursar -n \"__bursar_at '{}'\"", command.path);
    for (const CommandEntry& below : command.commands)
        script +=
            fmt::format("{} -f -a {} -d {}\n", begin, below.name, quoted_for_fish(below.help));
    for (const OptionEntry& option : command.options) {
        script += begin;
        for (const std::string& name : option.names)
            script += " " + spelling(name);
        if (!option.value.empty())
            script += names_of(option);
        script += " -d " + quoted_for_fish(option.help) + "\n";
    }
}

} // namespace

std::string fish_completion(const CommandEntry& program, std::span<const Setting> settings) {
    std::string script =
        "# Completion of bursar for fish. Written by `bursar pages`.\n\n"
        "# Names behind those that the word before the cursor has already.\n"
        "function __bursar_list\n"
        "    set -l word (commandline -ct | string replace -r '^--[^=]*=' '')\n"
        "    set -l given (string match -r '.*,' -- $word)\n"
        "    for name in $argv\n"
        "        echo \"$given$name\"\n"
        "    end\n"
        "end\n\n"
        "# Paths of a scenario, or values behind \"PATH=\".\n"
        "function __bursar_setting\n"
        "    set -l word (commandline -ct | string replace -r '^--[a-z]*=' '')\n"
        "    if not string match -q '*=*' -- $word\n"
        "        printf '%s\\n' " +
        setting_paths(settings) +
        "\n        return\n    end\n"
        "    set -l values\n"
        "    switch (string split -m1 = -- $word)[1]\n" +
        setting_values(settings, "        case '{}'\n            set values {}\n") +
        "    end\n"
        "    set -l given (string match -r '.*[=,]' -- $word)\n"
        "    for value in $values\n"
        "        echo \"$given$value\"\n"
        "    end\n"
        "end\n\n"
        "# Whether the words before the cursor name this command.\n"
        "function __bursar_at\n"
        "    set -l path bursar\n"
        "    for word in (commandline -opc)[2..-1]\n"
        "        switch \"$path $word\"\n            case";
    for (const CommandEntry* command : all_in(program))
        if (command != &program)
            script += fmt::format(" \\\n                '{}'", command->path);
    script += "\n                set path \"$path $word\"\n        end\n    end\n"
              "    test \"$path\" = \"$argv\"\nend\n\n";
    for (const CommandEntry* command : all_in(program))
        put_command(*command, script);
    return script;
}

}} // namespace bursar::tools
