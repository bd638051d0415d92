#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "scenarios/reader/plain_text.hpp"

#include "tools/bursar/pages/pages.hpp"

namespace bursar { inline namespace tools {
namespace {

/// Text for troff, with macros and escapes quoted.
std::string in_troff(std::string_view text) {
    std::string out;
    bool begins_line = true;
    for (const char c : text) {
        if (begins_line && (c == '.' || c == '\''))
            out += "\\&";
        begins_line = c == '\n';
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    return out;
}

std::string upper_case(std::string text) {
    for (char& c : text)
        c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
}

std::string bold(std::string_view text) {
    return "\\fB" + in_troff(text) + "\\fR";
}

std::string italic(std::string_view text) {
    return "\\fI" + in_troff(text) + "\\fR";
}

std::string synopsis(const CommandEntry& command) {
    std::string text = bold(command.path);
    if (!command.options.empty())
        text += " [" + italic("OPTION") + "]...";
    for (const OptionEntry& word : command.words) {
        const std::string name = italic(word.names.front()) + (word.many ? "..." : "");
        text += word.required ? " " + name : " [" + name + "]";
    }
    if (!command.commands.empty())
        text += " " + italic("COMMAND");
    return text;
}

void put_entry(const OptionEntry& entry, bool is_word, std::string& page) {
    page += ".TP\n";
    for (std::size_t i = 0; i < entry.names.size(); ++i)
        page += (i > 0 ? ", " : "") + (is_word ? italic(entry.names[i]) : bold(entry.names[i]));
    if (!entry.value.empty())
        page += " " + italic(entry.value);
    page += "\n" + in_troff(entry.help);
    if (!entry.default_value.empty())
        page += fmt::format(" (default: {})", in_troff(entry.default_value));
    if (entry.required)
        page += " (required)";
    page += "\n";
}

} // namespace

std::string page_name(const CommandEntry& command) {
    std::string name = command.path;
    std::ranges::replace(name, ' ', '-');
    return name;
}

std::string man_page(const CommandEntry& command, std::string_view version) {
    std::string page = fmt::format(".TH {} 1 \"\" \"bursar {}\" \"User Commands\"\n",
                                   in_troff(upper_case(page_name(command))),
                                   in_troff(version));
    page +=
        fmt::format(".SH NAME\n{} \\- {}\n", in_troff(page_name(command)), in_troff(command.help));
    page += ".SH SYNOPSIS\n" + synopsis(command) + "\n";
    const auto put_section = [&](std::string_view title, const auto& entries, bool are_words) {
        if (!entries.empty())
            page += fmt::format(".SH {}\n", title);
        for (const OptionEntry& entry : entries)
            put_entry(entry, are_words, page);
    };
    put_section("ARGUMENTS", command.words, true);
    put_section("OPTIONS", command.options, false);
    if (!command.commands.empty())
        page += ".SH COMMANDS\n";
    for (const CommandEntry& one : command.commands)
        page += fmt::format(".TP\n{}\n{}\n", bold(one.name), in_troff(one.help));
    if (!command.footer.empty())
        page += ".SH NOTES\n" + in_troff(command.footer) + "\n";
    std::vector<std::string> others;
    for (const CommandEntry& one : command.commands)
        others.push_back(bold(page_name(one)) + "(1)");
    if (const std::size_t above = command.path.rfind(' '); above != std::string::npos) {
        std::string name = command.path.substr(0, above);
        std::ranges::replace(name, ' ', '-');
        others.push_back(bold(name) + "(1)");
    }
    page += fmt::format(".SH SEE ALSO\n{}\n", fmt::join(others, ",\n"));
    return page;
}

}} // namespace bursar::tools
