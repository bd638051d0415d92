#include "tools/command_line/option_table.hpp"

namespace bursar { inline namespace tools {

void OptionRows::require(std::string option) {
    changes_.push_back([=](Command command) { command.option(option).required(); });
}

void OptionRows::need(std::string option, std::string other) {
    changes_.push_back(
        [=](Command command) { command.option(option).needs(command.option(other)); });
}

void OptionRows::exclude(std::string option, std::vector<std::string> others) {
    changes_.push_back([=](Command command) {
        for (const std::string& other : others)
            command.option(option).excludes(command.option(other));
    });
}

void OptionRows::describe(std::string option, std::string help) {
    changes_.push_back([=](Command command) { command.option(option).description(help); });
}

void OptionRows::remove(std::string option) {
    changes_.push_back([=](Command command) { command.remove_option(option); });
}

void OptionRows::add_to(Command command, void* filled) const {
    for (const Row& row : rows_)
        row.option->add(command, filled, row.help);
    for (const std::function<void(Command)>& change : changes_)
        change(command);
}

}} // namespace bursar::tools
