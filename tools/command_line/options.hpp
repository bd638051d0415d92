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

// The library behind this; only options.cpp includes it, because its header costs seconds.
namespace CLI {
class App;
class Option;
} // namespace CLI

/// How a command declares its options, and what a program does with the words it is given.
namespace bursar { inline namespace tools {

/// What completions offer for the values of a program's options.
class OptionNames;

/// Names that a value may be made of; worked out where somebody asks for them, as some are those of
/// a catalogue.
using Names = std::function<std::vector<std::string>()>;

/// Says what is wrong with the text of an option, or nothing.
using Check = std::function<std::string(const std::string& text)>;

/// The whole numbers that an option takes, both ends included.
struct WholeRange {
    std::int64_t min{};
    std::int64_t max{};
};
/// Those of a seed: every one that a file of ours can hold.
inline constexpr WholeRange any_seed{0, std::numeric_limits<std::int64_t>::max()};
/// Those of how many there are of something.
constexpr WholeRange up_to(std::int64_t max) {
    return {1, max};
}

/// The numbers that an option takes; none is nan or infinite.
struct RealRange {
    double min{};
    double max{};
    bool with_min{true}; ///< whether `min` itself is one of them
};
/// Those of a size that the formulas take: they refuse what is larger than they can answer.
inline constexpr RealRange any_size{0, 1e40, false};
inline constexpr RealRange any_share{0, 1};

/// A name; only the empty one is none.
[[nodiscard]] Check not_empty();

/// An option of a command, to be said more of. A handle: copies mean the same option.
class Option {
  public:
    Option(CLI::Option& option, OptionNames& names) : option_{&option}, names_{&names} {}

    Option description(const std::string& text);
    /// What the help text calls the value: "FILE".
    Option type_name(const std::string& name);
    Option required();
    /// The help text shows what the value is before anything is parsed.
    Option show_default();
    /// The same for a value that is not a text or a number.
    Option default_text(std::string_view value);
    /// Checks run in the order in which they were added; the first complaint is told.
    Option check(const Check& check);
    /// One of these words, in any of its spellings; others are refused with the nearest.
    Option one_of_words(std::vector<std::string> names);
    /// Completions offer these; nothing is refused.
    Option completes(const Names& names, NamesForm form = NamesForm::one);
    /// This option is refused without, or beside, the other.
    Option needs(Option other);
    Option excludes(Option other);
    /// The option is written again for each of its values, as in --set A=1 --set B=2.
    Option one_value_each();

  private:
    CLI::Option* option_;
    OptionNames* names_;
};

/// A command with its options and what it does. A handle: copies mean the same command.
///
/// The variable that an option fills must live as long as the program; it keeps its value where the
/// option is not given. A name without dashes ("FILE") is told by its place.
class Command {
  public:
    Command(CLI::App& app, OptionNames& names) : app_{&app}, names_{&names} {}

    [[nodiscard]] Command add_subcommand(const std::string& name, const std::string& help);
    /// The help text does not name it.
    void hide();
    /// What the help texts of this command and those below it say.
    [[nodiscard]] CommandEntry entry() const;
    /// One of the subcommands has to be named.
    void require_subcommand();
    /// What the command does; not called where one of its subcommands is named.
    void callback(const std::function<void()>& action);

    Option add_option(const std::string& name, std::string& value, const std::string& help);
    /// A number always comes with its range: what is outside is refused before anything is done.
    Option add_option(const std::string& name,
                      std::int64_t& value,
                      WholeRange range,
                      const std::string& help);
    Option add_option(const std::string& name,
                      std::uint64_t& value,
                      WholeRange range,
                      const std::string& help);
    Option
    add_option(const std::string& name, double& value, RealRange range, const std::string& help);
    Option add_option(const std::string& name,
                      std::optional<std::int64_t>& value,
                      WholeRange range,
                      const std::string& help);
    Option add_option(const std::string& name,
                      std::optional<double>& value,
                      RealRange range,
                      const std::string& help);
    /// All values that are given, in their order.
    Option
    add_option(const std::string& name, std::vector<std::string>& value, const std::string& help);
    /// Values between commas, as split_list() parts them; written again it takes more. The one way
    /// in which lists of the command line are read.
    Option
    add_list(const std::string& name, std::vector<std::string>& value, const std::string& help);
    Option add_flag(const std::string& name, bool& value, const std::string& help);
    /// `take` is given the text; returns what is wrong with it, or nothing.
    Option add_parsed(const std::string& name, const Check& take, const std::string& help);

    /// One of `names`, which stand in the order of the enumeration (target: an Enum, or an optional
    /// one). Anything else is refused with the nearest names.
    template <class Enum, class Target>
    Option add_choice(const std::string& name,
                      Target& target,
                      std::span<const std::string_view> names,
                      const std::string& help) {
        return add_name(
            name, [&target](std::size_t i) { target = static_cast<Enum>(i); }, names, help);
    }

    /// An option that was added under this name: one that several commands share, say.
    [[nodiscard]] Option option(const std::string& name) const;
    void remove_option(const std::string& name);

  private:
    Option add_name(const std::string& name,
                    const std::function<void(std::size_t)>& choose,
                    std::span<const std::string_view> names,
                    const std::string& help);
    /// The handle of an option that was just added.
    Option added(CLI::Option* option);

    CLI::App* app_;
    OptionNames* names_;
};

/// The words of the command line are no command; what() is all there is to say about it.
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

    /// The program itself, to add commands to.
    [[nodiscard]] Command root() { return Command{*app_, *names_}; }

    /// Runs the command that the words name, or answers --help and --version on std::cout.
    /// Throws UsageError, and whatever the command throws.
    void run(int argc, const char* const* argv);

  private:
    std::unique_ptr<CLI::App> app_;
    std::unique_ptr<OptionNames> names_;
};

}} // namespace bursar::tools
