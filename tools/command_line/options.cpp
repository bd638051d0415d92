#include "tools/command_line/options.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace tools {

class ProgramState {
  public:
    /// Values that completions offer for an option.
    struct Offered {
        NamesForm form{};
        Names names;
    };
    void set(const CLI::Option& option, Offered offered) { offered_[&option] = std::move(offered); }
    /// Null for an option without such values.
    [[nodiscard]] const Offered* of(const CLI::Option& option) const {
        const auto found = offered_.find(&option);
        return found == offered_.end() ? nullptr : &found->second;
    }

    std::optional<std::set<std::string>> expected{}; ///< names of commands; absent: all

  private:
    std::map<const CLI::Option*, Offered> offered_;
};

namespace {

/// The decimal number in `text`. Ambiguous texts are refused: "010", "0x10", "+5".
template <class Number>
std::optional<Number> number_in(std::string_view text) {
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    const bool leading_zero =
        digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9';
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (leading_zero || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

bool is_in(std::int64_t number, WholeRange range) {
    return number >= range.min && number <= range.max;
}

bool is_in(double number, RealRange range) {
    return (range.with_min ? number >= range.min : number > range.min) && number <= range.max;
}

std::string shown(WholeRange range) {
    return fmt::format("whole number from {} to {}", range.min, range.max);
}

std::string shown(RealRange range) {
    return range.with_min ? fmt::format("number from {:g} to {:g}", range.min, range.max)
                          : fmt::format("number above {:g}, up to {:g}", range.min, range.max);
}

template <class Number, class Range>
std::string read_in(const std::string& text, Range range, Number& value) {
    const auto number = number_in<Number>(text);
    if (!number || !is_in(*number, range))
        return fmt::format("{} is not a {}", in_quotes(text), shown(range));
    value = *number;
    return {};
}

std::string unknown_name(const std::string& text, const std::vector<std::string>& known) {
    return fmt::format("unknown name {}; {}", in_quotes(text), suggestion(text, known));
}

std::vector<std::string> command_names(const CLI::App& within) {
    std::vector<std::string> names;
    for (const CLI::App* command : within.get_subcommands({}))
        if (!command->get_group().empty()) // not hidden
            names.push_back(command->get_name());
    return names;
}

/// Whether a command has positional arguments.
bool takes_words(const CLI::App& command) {
    return !command.get_options([](const CLI::Option* option) { return option->get_positional(); })
                .empty();
}

/// The message for the first word that should name a command and does not. CLI11 would report it
/// without a suggestion.
std::optional<std::string>
unknown_command(const CLI::App& program, int argc, const char* const* argv) {
    const CLI::App* within = &program;
    std::string path = program.get_name();
    for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
        const std::vector<std::string> known = command_names(*within);
        if (known.empty() || takes_words(*within))
            return std::nullopt;
        const std::string name = argv[i];
        const auto is_it = [&](const CLI::App* command) { return command->get_name() == name; };
        if (std::ranges::none_of(within->get_subcommands({}), is_it))
            return fmt::format(
                "{}: unknown command {}; {}", path, in_quotes(name), suggestion(name, known));
        path += ' ' + name;
        within = within->get_subcommand(name);
    }
    return std::nullopt;
}

/// The innermost command that was given.
const CLI::App& named_command(const CLI::App& program) {
    const CLI::App* within = &program;
    while (!within->get_subcommands().empty())
        within = within->get_subcommands().front();
    return *within;
}

[[noreturn]] void refuse(const CLI::App& program, const std::string& why) {
    throw UsageError{fmt::format("{0}: {1}\ntry \"{0} --help\" or \"{0} COMMAND --help\"",
                                 program.get_name(),
                                 printable(why))};
}

/// The message for an option that is left over by parsing; absent: none is.
std::optional<std::string> unknown_option(const CLI::App& program) {
    const std::vector<std::string> words = program.remaining(true);
    const auto option = std::ranges::find_if(
        words, [](const std::string& word) { return word.starts_with('-') && word != "--"; });
    if (option == words.end())
        return std::nullopt;
    std::vector<std::string> known;
    for (const CLI::Option* one : named_command(program).get_options())
        for (const std::string& name : one->get_lnames())
            known.push_back("--" + name);
    return fmt::format("unknown option {}; {}", in_quotes(*option), suggestion(*option, known));
}

OptionEntry entry_of(const CLI::Option& option, const ProgramState& state) {
    OptionEntry entry{.help = option.get_description(),
                      .default_value = option.get_default_str(),
                      .required = option.get_required(),
                      .many = option.get_items_expected_max() > 1};
    if (option.get_positional()) {
        entry.names = {option.get_name(true)};
        return entry;
    }
    for (const std::string& name : option.get_snames())
        entry.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        entry.names.push_back("--" + name);
    entry.value = option.get_type_size() == 0 ? "" : option.get_type_name();
    if (const ProgramState::Offered* known = state.of(option); known != nullptr) {
        if (known->names)
            entry.choices = known->names();
        entry.form = known->form;
    }
    return entry;
}

CommandEntry
entry_of(const CLI::App& command, const std::string& above, const ProgramState& state) {
    CommandEntry entry{.path = above + command.get_name(),
                       .name = command.get_name(),
                       .help = command.get_description(),
                       .footer = command.get_footer()};
    for (const CLI::Option* option : command.get_options())
        (option->get_positional() ? entry.words : entry.options)
            .push_back(entry_of(*option, state));
    for (const CLI::App* below : command.get_subcommands({}))
        if (!below->get_group().empty())
            entry.commands.push_back(entry_of(*below, entry.path + " ", state));
    return entry;
}

} // namespace

std::string read_number(const std::string& text, WholeRange range, std::int64_t& number) {
    return read_in(text, range, number);
}

std::string read_number(const std::string& text, RealRange range, double& number) {
    return read_in(text, range, number);
}

Check not_empty() {
    return [](const std::string& name) { return std::string{name.empty() ? "needs a name" : ""}; };
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
    option_->required()->default_str("");
    return *this;
}

Option Option::show_default() {
    option_->capture_default_str();
    return *this;
}

Option Option::default_text(std::string_view value) {
    option_->default_str(std::string{value});
    return *this;
}

Option Option::check(const Check& check) {
    option_->check(check);
    return *this;
}

Option Option::completes(const Names& names, NamesForm form) {
    state_->set(*option_, {form, names});
    return *this;
}

Option Option::one_of_words(std::vector<std::string> names) {
    completes([names] { return names; });
    const auto settle = [names = std::move(names)](std::string& text) {
        const std::string* meant = meant_name(text, names);
        if (meant == nullptr)
            return unknown_name(text, names);
        text = *meant;
        return std::string{};
    };
    option_->transform(CLI::Validator{settle, ""});
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

Option Option::one_value_each() {
    option_->allow_extra_args(false);
    return *this;
}

/// A positional argument has no value name; CLI11 would add the type of its variable.
Option Command::added(CLI::Option* option) {
    if (option->get_positional())
        option->type_name("");
    return Option{*option, *state_};
}

Command Command::add_subcommand(const std::string& name, const std::string& help) {
    return Command{*app_->add_subcommand(name, help), *state_};
}

bool Command::is_expected() const {
    return !state_->expected || state_->expected->contains(app_->get_name());
}

void Command::hide() {
    app_->group("");
}

CommandEntry Command::entry() const {
    return entry_of(*app_, "", *state_);
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
    return added(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name,
                           std::vector<std::string>& value,
                           const std::string& help) {
    return added(app_->add_option(name, value, help));
}

Option Command::add_list(const std::string& name,
                         std::vector<std::string>& value,
                         const std::string& help) {
    const auto take = [&value, name](const std::vector<std::string>& words) {
        for (const std::string& word : words) {
            const auto values = split_list(word);
            if (!values)
                throw CLI::ValidationError(name, "brackets or quotes that do not match");
            value.insert(value.end(), values->begin(), values->end());
        }
    };
    return added(app_->add_option_function<std::vector<std::string>>(name, take, help))
        .one_value_each();
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& help) {
    return Option{*app_->add_flag(name, value, help), *state_};
}

Option Command::add_parsed(const std::string& name, const Check& take, const std::string& help) {
    const auto taken = [shown = name.substr(0, name.find(',')), take](const std::string& text) {
        if (const std::string complaint = take(text); !complaint.empty())
            throw CLI::ValidationError(shown, complaint);
    };
    return added(app_->add_option_function<std::string>(name, taken, help));
}

Option Command::add_name(const std::string& name,
                         const std::function<void(std::size_t)>& choose,
                         std::span<const std::string_view> names,
                         const std::string& help) {
    const std::vector<std::string> known{names.begin(), names.end()};
    const auto take = [choose, known](const std::string& text) {
        const std::string* meant = meant_name(text, known);
        if (meant == nullptr)
            return unknown_name(text, known);
        choose(static_cast<std::size_t>(meant - known.data()));
        return std::string{};
    };
    return add_parsed(name, take, help)
        .type_name(fmt::format("{}", fmt::join(known, "|")))
        .completes([known] { return known; });
}

Option Command::option(const std::string& name) const {
    return Option{*app_->get_option(name), *state_};
}

void Command::remove_option(const std::string& name) {
    app_->remove_option(app_->get_option(name));
}

Program::Program(const std::string& name,
                 const std::string& description,
                 const std::string& version_text)
    : app_{std::make_unique<CLI::App>(description, name)},
      state_{std::make_unique<ProgramState>()} {
    app_->require_subcommand(1);
    app_->set_version_flag("--version", version_text);
    app_->footer("Exit codes: 0 answered, 1 the run or the machine failed, 2 the input is wrong\n"
                 "(tools/EXIT_CODES.md).");
    app_->failure_message(CLI::FailureMessage::simple);
}

Program::~Program() = default;

void Program::expect(int argc, const char* const* argv) {
    state_->expected.emplace(argv, argv + argc);
}

void Program::run(int argc, const char* const* argv) {
    std::vector<const char*> words{argv, argv + argc};
    const bool is_help = words.size() > 1 && words[1] == std::string_view{"help"};
    if (is_help)
        words.erase(words.begin() + 1);
    if (is_help || words.size() == 1)
        words.push_back("--help");
    const int num_words = static_cast<int>(words.size());
    if (const auto unknown = unknown_command(*app_, num_words, words.data()))
        throw UsageError{*unknown};
    try {
        app_->parse(num_words, words.data());
    } catch (const CLI::ExtrasError&) {
        refuse(*app_,
               unknown_option(*app_).value_or(
                   fmt::format("{} was not expected", in_quotes(app_->remaining(true).front()))));
    } catch (const CLI::RequiredError& error) { // of a command, say, where an option is unknown
        refuse(*app_, unknown_option(*app_).value_or(error.what()));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success))
            refuse(*app_, error.what());
        app_->exit(error); // --help and --version, on stdout
    }
}

}} // namespace bursar::tools
