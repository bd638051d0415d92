#include <fmt/ranges.h>

#include "tools/bursar/pages/pages.hpp"

namespace bursar { inline namespace tools {
namespace {

/// Text inside single quotes of a specification of _arguments.
std::string quoted_for_zsh(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\'')
            out += "'\\''";
        else if (c == '[' || c == ']' || c == ':' || c == '\\')
            out += std::string{"\\"} + c;
        else
            out += c == '\n' ? ' ' : c;
    }
    return out;
}

std::string function_of(const CommandEntry& command) {
    std::string name = "_" + command.path;
    for (char& c : name)
        c = c == ' ' || c == '-' ? '_' : c;
    return name;
}

std::string value_of(const OptionEntry& option) {
    if (option.value.empty())
        return {};
    if (option.form == NamesForm::setting)
        return fmt::format(":{}:_bursar_setting", quoted_for_zsh(option.value));
    if (option.choices.empty())
        return fmt::format(":{}:_files", quoted_for_zsh(option.value));
    const std::string names = fmt::format("{}", fmt::join(option.choices, " "));
    return option.form == NamesForm::list ? fmt::format(":value:_values -s , name {}", names)
                                          : fmt::format(":value:({})", names);
}

void put_function(const CommandEntry& command, std::string& script) {
    script += fmt::format("\n{}() {{\n", function_of(command));
    const bool has_commands = !command.commands.empty();
    if (has_commands)
        script += "    local context state line\n    typeset -A opt_args\n";
    script += fmt::format("    _arguments{}", has_commands ? " -C" : "");
    for (const OptionEntry& option : command.options)
        for (const std::string& name : option.names)
            script += fmt::format(
                " \\\n        '*{}[{}]{}'", name, quoted_for_zsh(option.help), value_of(option));
    for (const OptionEntry& word : command.words)
        script += fmt::format(" \\\n        '{}:{}:_files'",
                              word.many ? "*" : "",
                              quoted_for_zsh(word.names.front()));
    if (has_commands)
        script += " \\\n        '1:command:->command' \\\n        '*::rest:->rest'";
    script += "\n";
    if (has_commands) {
        script += "    case $state in\n    command)\n        local -a commands=(";
        for (const CommandEntry& below : command.commands)
            script += fmt::format("\n            '{}:{}'", below.name, quoted_for_zsh(below.help));
        script += "\n        )\n        _describe command commands\n        ;;\n    rest)\n"
                  "        case $words[1] in\n";
        for (const CommandEntry& below : command.commands)
            script += fmt::format("        {}) {} ;;\n", below.name, function_of(below));
        script += "        esac\n        ;;\n    esac\n";
    }
    script += "}\n";
}

} // namespace

std::string zsh_completion(const CommandEntry& program, std::span<const Setting> settings) {
    std::string script =
        "#compdef bursar\n# Completion of bursar for zsh. Written by `bursar pages`.\n";
    for (const CommandEntry* command : all_in(program))
        put_function(*command, script);
    script += "\n# A path of a scenario, or values behind \"PATH=\".\n_bursar_setting() {\n"
              "    local -a values\n    if [[ $PREFIX != *=* ]]; then\n        compadd -S '' -- " +
              setting_paths(settings) + "\n        return\n    fi\n    case ${PREFIX%%=*} in\n" +
              setting_values(settings, "    {}) values=({}) ;;\n") +
              "    esac\n    compset -P '*='\n    compset -P '*,'\n    compadd -a values\n}\n";
    script += "\n_bursar \"$@\"\n";
    return script;
}

}} // namespace bursar::tools
