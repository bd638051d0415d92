#include "tools/bursar/options.hpp"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar {
namespace {

template <class Number>
std::optional<Number> number_in(const std::string& text) {
    Number number{};
    return CLI::detail::lexical_cast(text, number) ? std::optional{number} : std::nullopt;
}

/// A check of the library's, with its words.
Check checked_by(const CLI::Validator& validator) {
    return {validator.get_description(), [validator](const std::string& text) {
                std::string copy = text; // some of the library's change what they check
                return validator(copy);
            }};
}

std::vector<std::string> command_names(const CLI::App& within) {
    std::vector<std::string> names;
    for (const CLI::App* command : within.get_subcommands({}))
        names.push_back(command->get_name());
    return names;
}

/// Whether a command takes words that are no names of commands.
bool takes_words(const CLI::App& command) {
    return !command.get_options([](const CLI::Option* option) { return option->get_positional(); })
                .empty();
}

/// The first word that should name a command, or one of a command's own, and does not; the library
/// would say so without a suggestion.
std::optional<std::string>
unknown_command(const CLI::App& program, int argc, const char* const* argv) {
    const CLI::App* within = &program;
    std::string path = program.get_name();
    for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
        const std::vector<std::string> known = command_names(*within);
        if (known.empty() || takes_words(*within))
            return std::nullopt;
        const std::string name = argv[i];
        if (std::ranges::find(known, name) == known.end())
            return fmt::format(
                "{}: unknown command {}; {}", path, in_quotes(name), suggestion(name, known));
        path += ' ' + name;
        within = within->get_subcommand(name);
    }
    return std::nullopt;
}

} // namespace

Check above_zero() {
    return {"> 0", [](const std::string& text) {
                const auto number = number_in<double>(text);
                return number && *number > 0 ? std::string{} : "\"" + text + "\" is not above zero";
            }};
}

Check not_negative() {
    return checked_by(CLI::NonNegativeNumber);
}

Check within(double min, double max) {
    return checked_by(CLI::Range{min, max});
}

Check within(std::int64_t min, std::int64_t max) {
    return checked_by(CLI::Range{min, max});
}

Check within(std::size_t min, std::size_t max) {
    return checked_by(CLI::Range{min, max});
}

Check at_most(std::int64_t max) {
    return {"", [max](const std::string& text) {
                const auto number = number_in<std::int64_t>(text);
                return number && *number <= max
                           ? std::string{}
                           : fmt::format("\"{}\" is no whole number up to {}", text, max);
            }};
}

Check whole_number(std::int64_t min, std::int64_t max) {
    return {"", [min, max](const std::string& text) {
                const auto number = number_in<std::int64_t>(text);
                return number && *number >= min && *number <= max
                           ? std::string{}
                           : fmt::format("\"{}\" is no whole number from {} to {}", text, min, max);
            }};
}

Check not_empty() {
    return {"", [](const std::string& name) {
                return std::string{name.empty() ? "needs a name" : ""};
            }};
}

Check one_of(const std::vector<std::string>& names) {
    return checked_by(CLI::IsMember{names});
}

Option Option::description(const std::string& text) {
    option_->description(text);
    return *this;
}

Option Option::type_name(const std::string& name) {
    option_->type_name(name);
    return *this;
}

Option Option::required() {
    option_->required();
    return *this;
}

Option Option::show_default() {
    option_->capture_default_str();
    return *this;
}

Option Option::check(const Check& check) {
    option_->check(check.complaint, check.help);
    return *this;
}

Option Option::needs(Option other) {
    option_->needs(other.option_);
    return *this;
}

Option Option::excludes(Option other) {
    option_->excludes(other.option_);
    return *this;
}

Option Option::delimiter(char between) {
    option_->delimiter(between);
    return *this;
}

Option Option::one_value_each() {
    option_->allow_extra_args(false);
    return *this;
}

Option Option::with_units(const std::map<std::string, std::int64_t>& units) {
    option_->transform(CLI::AsNumberWithUnit{units, CLI::AsNumberWithUnit::UNIT_REQUIRED});
    return *this;
}

Command Command::add_subcommand(const std::string& name, const std::string& help) {
    return Command{*app_->add_subcommand(name, help)};
}

void Command::require_subcommand() {
    app_->require_subcommand(1);
}

void Command::callback(const std::function<void()>& action) {
    app_->callback([app = app_, action] {
        if (app->get_subcommands().empty())
            action();
    });
}

Option Command::add_option(const std::string& name, std::string& value, const std::string& help) {
    return Option{*app_->add_option(name, value, help)};
}

Option Command::add_option(const std::string& name, std::int64_t& value, const std::string& help) {
    return Option{*app_->add_option(name, value, help)};
}

Option Command::add_option(const std::string& name, std::uint64_t& value, const std::string& help) {
    return Option{*app_->add_option(name, value, help)};
}

Option Command::add_option(const std::string& name, double& value, const std::string& help) {
    return Option{*app_->add_option(name, value, help)};
}

Option Command::add_option(const std::string& name,
                           std::optional<std::int64_t>& value,
                           const std::string& help) {
    return Option{*app_->add_option(name, value, help)};
}

Option Command::add_option(const std::string& name,
                           std::optional<double>& value,
                           const std::string& help) {
    return Option{*app_->add_option(name, value, help)};
}

Option Command::add_option(const std::string& name,
                           std::vector<std::string>& value,
                           const std::string& help) {
    return Option{*app_->add_option(name, value, help)};
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& help) {
    return Option{*app_->add_flag(name, value, help)};
}

Option Command::add_parsed(const std::string& name, const Take& take, const std::string& help) {
    const auto taken = [name, take](const std::string& text) {
        if (const std::string complaint = take(text); !complaint.empty())
            throw CLI::ValidationError(name, complaint);
    };
    return Option{*app_->add_option_function<std::string>(name, taken, help)};
}

Option Command::add_name(const std::string& name,
                         const std::function<void(std::size_t)>& choose,
                         std::span<const std::string_view> names,
                         const std::string& help) {
    const std::vector<std::string> known{names.begin(), names.end()};
    const auto take = [choose, known](const std::string& text) {
        const auto found = std::ranges::find(known, text);
        if (found == known.end())
            return fmt::format("unknown name {}; {}", in_quotes(text), suggestion(text, known));
        choose(static_cast<std::size_t>(found - known.begin()));
        return std::string{};
    };
    return add_parsed(name, take, help).type_name(fmt::format("{}", fmt::join(known, "|")));
}

Option Command::option(const std::string& name) const {
    return Option{*app_->get_option(name)};
}

void Command::remove_option(const std::string& name) {
    app_->remove_option(app_->get_option(name));
}

Program::Program(const std::string& name,
                 const std::string& description,
                 const std::string& version)
    : app_{std::make_unique<CLI::App>(description, name)} {
    app_->require_subcommand(1);
    app_->set_version_flag("--version", version);
    app_->failure_message(CLI::FailureMessage::simple);
}

Program::~Program() = default;

void Program::run(int argc, const char* const* argv) {
    if (const auto unknown = unknown_command(*app_, argc, argv))
        throw UsageError{*unknown};
    try {
        app_->parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success))
            throw UsageError{fmt::format("{0}: {1}\ntry \"{0} --help\" or \"{0} COMMAND --help\"",
                                         app_->get_name(),
                                         error.what())};
        app_->exit(error); // --help and --version: answers, on stdout
    }
}

} // namespace bursar
