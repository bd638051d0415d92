#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tools/command_line/command_table.hpp"

// CLI11; only options.cpp includes it, because its header takes seconds to compile.
namespace CLI {
class App;
class Option;
} // namespace CLI

/// Declaration of commands and options, and parsing of the command line.
namespace bursar { inline namespace tools {

/// What CLI11 does not store of a program.
class ProgramState;

/// Gives the names for a value. A function, because catalogues are read only when needed.
using Names = std::function<std::vector<std::string>()>;

/// Returns what is wrong with the text of an option; empty: nothing.
using Check = std::function<std::string(const std::string& text)>;

/// The whole numbers that an option accepts, both ends included.
struct WholeRange {
    std::int64_t min{};
    std::int64_t max{};
};
/// Seeds: every one that result files can hold.
inline constexpr WholeRange any_seed{0, std::numeric_limits<std::int64_t>::max()};
/// Counts.
constexpr WholeRange up_to(std::int64_t max) {
    return {1, max};
}

/// The numbers that an option accepts, without nan and infinity.
struct RealRange {
    double min{};
    double max{};
    bool with_min{true}; ///< whether `min` is accepted
};
/// Sizes; the formulas refuse values that they cannot handle.
inline constexpr RealRange any_size{0, 1e40, false};
inline constexpr RealRange any_share{0, 1};

/// Reads the number in `text`. Returns what is wrong with it, as a Check does.
[[nodiscard]] std::string
read_number(const std::string& text, WholeRange range, std::int64_t& number);
[[nodiscard]] std::string read_number(const std::string& text, RealRange range, double& number);

/// Refuses an empty name.
[[nodiscard]] Check not_empty();

/// An option that was just added. A handle: copies refer to the same option.
class Option {
  public:
    Option(CLI::Option& option, ProgramState& state) : option_{&option}, state_{&state} {}

    Option description(const std::string& text);
    /// The name of the value in help texts: "FILE".
    Option type_name(const std::string& name);
    /// Help texts show no default of it.
    Option required();
    /// Help texts show the value that the variable has now.
    Option show_default();
    /// Help texts show this as the default.
    Option default_text(std::string_view value);
    /// Checks run in the order of their addition; the first failure is reported.
    Option check(const Check& check);
    /// Accepts these words in any spelling; refuses others and suggests the nearest.
    Option one_of_words(std::vector<std::string> names);
    /// Completions offer these; other values are accepted, too.
    Option completes(const Names& names, NamesForm form = NamesForm::one);
    /// This option is refused without the other, or together with it.
    Option needs(Option other);
    Option excludes(Option other);
    /// The option is repeated for each value: --set A=1 --set B=2.
    Option one_value_each();

  private:
    CLI::Option* option_;
    ProgramState* state_;
};

/// A command with its options and its action. A handle: copies refer to the same command.
///
/// The variable of an option must live as long as the program. It keeps its value if the option is
/// not given. A name without dashes ("FILE") is a positional argument.
class Command {
  public:
    Command(CLI::App& app, ProgramState& state) : app_{&app}, state_{&state} {}

    [[nodiscard]] Command add_subcommand(const std::string& name, const std::string& help);
    /// Whether its options matter: they are those of a command that expect() named.
    [[nodiscard]] bool is_expected() const;
    /// Leaves it out of help texts.
    void hide();
    /// This command and those below it, as help texts show them.
    [[nodiscard]] CommandEntry entry() const;
    /// Makes a subcommand mandatory.
    void require_subcommand();
    /// Sets the action; it is not called if a subcommand is given.
    void callback(const std::function<void()>& action);

    Option add_option(const std::string& name, std::string& value, const std::string& help);
    /// All given values, in order.
    Option
    add_option(const std::string& name, std::vector<std::string>& value, const std::string& help);
    /// Values between commas, read by split_list(). A repeated option adds values.
    Option
    add_list(const std::string& name, std::vector<std::string>& value, const std::string& help);
    Option add_flag(const std::string& name, bool& value, const std::string& help);
    /// Calls `take` with the text; it returns what is wrong with the text, or nothing.
    Option add_parsed(const std::string& name, const Check& take, const std::string& help);

    /// One of `names`, in the order of the enumeration; refuses others and suggests the nearest.
    /// target: an Enum, or an optional one.
    template <class Enum, class Target>
    Option add_choice(const std::string& name,
                      Target& target,
                      std::span<const std::string_view> names,
                      const std::string& help) {
        return add_name(
            name, [&target](std::size_t i) { target = static_cast<Enum>(i); }, names, help);
    }

    /// The option of this name.
    [[nodiscard]] Option option(const std::string& name) const;
    void remove_option(const std::string& name);

  private:
    Option add_name(const std::string& name,
                    const std::function<void(std::size_t)>& choose,
                    std::span<const std::string_view> names,
                    const std::string& help);
    /// The handle of a new option.
    Option added(CLI::Option* option);

    CLI::App* app_;
    ProgramState* state_;
};

/// The command line is wrong; what() is the whole message.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A program of several commands.
class Program {
  public:
    Program(const std::string& name,
            const std::string& description,
            const std::string& version_text);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Of the commands that are added from here on, only those that these words name need options:
    /// to declare the options of all takes longer than many an answer.
    void expect(int argc, const char* const* argv);

    /// The program as a command, to which commands are added.
    [[nodiscard]] Command root() { return Command{*app_, *state_}; }

    /// Runs the given command, or prints --help and --version on std::cout. Without a word, and for
    /// `help COMMAND`, that is --help. Throws UsageError, and what the command throws.
    void run(int argc, const char* const* argv);

  private:
    std::unique_ptr<CLI::App> app_;
    std::unique_ptr<ProgramState> state_;
};

}} // namespace bursar::tools
