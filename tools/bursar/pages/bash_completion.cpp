#include <fmt/ranges.h>

#include "tools/bursar/pages/pages.hpp"

namespace bursar { inline namespace tools {
namespace {

/// The fixed begin of the script: finds the command that the words before the cursor name.
constexpr std::string_view script_begin =
    R"(# Completion of bursar for bash. Written by `bursar pages`.

_bursar() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local path=bursar words values form option i
    if [[ $current == "=" ]]; then # --option=, or --set path=
        current=""
        option=${COMP_WORDS[COMP_CWORD-2]}
    elif [[ $before == "=" ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
        option=${COMP_WORDS[COMP_CWORD-3]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$path ${COMP_WORDS[i]}" in
)";

constexpr std::string_view script_middle = R"(    esac
    if [[ $option == --set || $option == --vary ]]; then
        form=one
        if [[ $option == --vary ]]; then
            form=list
        fi
        case $before in
)";

constexpr std::string_view script_end = R"(        esac
    fi
    COMPREPLY=()
    if [[ -n $values ]]; then
        current=${current#[\"\']} # a value may stand in quotes
        local given="" name
        if [[ $form == list && $current == *,* ]]; then
            given=${current%,*},
        fi
        for name in $values; do
            if [[ $given$name == "$current"* && ,$given != *,$name,* ]]; then
                COMPREPLY+=("$given$name")
            fi
        done
        if [[ $form == list || $form == first ]]; then # more may follow
            compopt -o nospace 2>/dev/null
        fi
    elif [[ $current == -* || -n $only_commands ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    fi
}
complete -o default -F _bursar bursar
)";

/// The script's text for the names of an option.
std::string quoted_names(const OptionEntry& option) {
    return option.form == NamesForm::setting
               ? "$settings"
               : fmt::format("\"{}\"", fmt::join(option.choices, " "));
}

/// Sets the script's `form` for the names of an option.
std::string_view form_of(const OptionEntry& option) {
    switch (option.form) {
    case NamesForm::one:
        return "";
    case NamesForm::list:
        return " form=list";
    case NamesForm::first:
    case NamesForm::setting:
        return " form=first";
    }
    return "";
}

} // namespace

std::string bash_completion(const CommandEntry& program, std::span<const Setting> settings) {
    std::string script{script_begin};
    std::string words;
    std::string values;
    for (const CommandEntry* command : all_in(program)) {
        if (command != &program)
            script += fmt::format("            \"{0}\") path=\"{0}\" ;;\n", command->path);
        std::vector<std::string> next;
        for (const CommandEntry& below : command->commands)
            next.push_back(below.name);
        for (const OptionEntry& option : command->options) {
            next.insert(next.end(), option.names.begin(), option.names.end());
            for (const std::string& name : option.names)
                if (!option.choices.empty() || option.form == NamesForm::setting)
                    values += fmt::format("        \"{} {}\") values={}{} ;;\n",
                                          command->path,
                                          name,
                                          quoted_names(option),
                                          form_of(option));
        }
        words += fmt::format("        \"{}\") words=\"{}\"{} ;;\n",
                             command->path,
                             fmt::join(next, " "),
                             command->commands.empty() ? "" : " only_commands=yes");
    }
    script += "        esac\n    done\n    local only_commands=\n    case $path in\n" + words +
              "    esac\n    local settings=\"" + setting_paths(settings) +
              "\"\n    case \"$path $before\" in\n" + values;
    script += script_middle;
    script += setting_values(settings, "        {}) values=\"{}\" ;;\n");
    script += script_end;
    return script;
}

}} // namespace bursar::tools
