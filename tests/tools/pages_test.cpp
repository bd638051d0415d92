#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/contains.hpp"
#include "tests/places.hpp"
#include "tests/tools/page_examples.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::pages_test {
namespace {

/// The names at the beginnings of the lines of a help text: options with dashes, and commands below
/// "Subcommands:".
struct HelpNames {
    std::set<std::string> options;
    std::vector<std::string> commands;
};

HelpNames names_in(const std::string& help) {
    HelpNames names;
    std::istringstream lines{help};
    bool in_commands = false;
    for (std::string line; std::getline(lines, line);) {
        in_commands = line == "Subcommands:" || (in_commands && line.starts_with("  "));
        if (!line.starts_with("  ") || line.starts_with("   "))
            continue;
        std::string word = line.substr(2, line.find(' ', 2) - 2);
        if (in_commands)
            names.commands.push_back(word);
        for (std::size_t at = 0; word.starts_with('-') && at < word.size();) {
            const std::size_t end = std::min(word.find(',', at), word.size());
            names.options.insert(word.substr(at, end - at));
            at = end + 1;
        }
    }
    return names;
}

/// Every command of the program, with the options that its help text names.
std::map<std::string, std::set<std::string>> all_commands() {
    std::map<std::string, std::set<std::string>> all;
    std::vector<std::vector<std::string>> left{{}};
    while (!left.empty()) {
        const std::vector<std::string> words = left.back();
        left.pop_back();
        std::vector<std::string> asked = words;
        asked.emplace_back("--help");
        const HelpNames names = names_in(bursar(asked).out);
        std::string path = "bursar";
        for (const std::string& word : words)
            path += " " + word;
        all[path] = names.options;
        for (const std::string& command : names.commands) {
            left.push_back(words);
            left.back().push_back(command);
        }
    }
    return all;
}

std::string with_dashes_of_troff(const std::string& text) {
    std::string out;
    for (const char c : text)
        out += c == '-' ? std::string{"\\-"} : std::string{c};
    return out;
}

/// The share folder that the program writes.
class Share {
  public:
    Share() { REQUIRE(bursar({"pages", folder_.path().string()}).code == 0); }
    [[nodiscard]] std::filesystem::path path(const std::string& name) const {
        return folder_.path() / name;
    }
    [[nodiscard]] std::string text(const std::string& name) const { return read_file(path(name)); }

  private:
    TemporaryFolder folder_;
};

bool is_installed(const std::string& program) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe)
    return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

const std::string bash_script = "bash-completion/completions/bursar";
const std::string zsh_script = "zsh/vendor-completions/_bursar";
const std::string fish_script = "fish/vendor_completions.d/bursar.fish";

} // namespace

TEST_CASE("every option of every command is in its manual page and in the three completions") {
    const Share share;
    const auto commands = all_commands();
    CHECK(commands.size() > 25);
    const std::string bash = share.text(bash_script);
    const std::string zsh = share.text(zsh_script);
    const std::string fish = share.text(fish_script);
    for (const auto& [path, options] : commands) {
        CAPTURE(path);
        std::string page_name = path;
        std::ranges::replace(page_name, ' ', '-');
        const std::string page = share.text("man/man1/" + page_name + ".1");
        CHECK(contains(page, ".SH NAME\n" + with_dashes_of_troff(page_name) + " \\- "));
        CHECK_FALSE(options.empty());
        const std::string words_begin = "\"" + path + "\") words=\"";
        const std::size_t words_at = bash.find(words_begin);
        REQUIRE(words_at != std::string::npos);
        const std::string words = " " +
                                  bash.substr(words_at + words_begin.size(),
                                              bash.find('"', words_at + words_begin.size()) -
                                                  words_at - words_begin.size()) +
                                  " ";
        std::string function = "\n_" + path + "() {\n";
        std::ranges::replace(function.begin(), function.end() - 4, ' ', '_');
        std::ranges::replace(function.begin(), function.end() - 4, '-', '_');
        const std::size_t function_at = zsh.find(function);
        REQUIRE(function_at != std::string::npos);
        const std::string of_zsh =
            zsh.substr(function_at, zsh.find("\n}\n", function_at) - function_at);
        for (const std::string& option : options) {
            CAPTURE(option);
            CHECK(contains(page, "\\fB" + with_dashes_of_troff(option) + "\\fR"));
            CHECK(contains(words, " " + option + " "));
            CHECK(contains(of_zsh, "'*" + option + "["));
            const std::string spelling =
                option.starts_with("--") ? " -l " + option.substr(2) : " -s " + option.substr(1);
            bool found = false;
            std::istringstream lines{fish};
            for (std::string line; std::getline(lines, line) && !found;)
                found = line.starts_with("complete -c bursar -n \"__bursar_at '" + path + "'\"") &&
                        (line + " ").find(spelling + " ") != std::string::npos;
            CHECK(found);
        }
    }
}

TEST_CASE("pages are the same each time, and do not list the command that writes them") {
    const Share one;
    const Share other;
    std::size_t num_files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{one.path("")}) {
        if (!entry.is_regular_file())
            continue;
        ++num_files;
        const std::string name = std::filesystem::relative(entry.path(), one.path("")).string();
        CAPTURE(name);
        CHECK(one.text(name) == other.text(name));
        CHECK(name.find("pages") == std::string::npos);
    }
    CHECK(num_files == all_commands().size() + 4);
    CHECK(one.text("bursar/bursar.schema.json") == bursar({"schema"}).out);
    CHECK(bursar({"--help"}).out.find("pages") == std::string::npos);
    CHECK(bursar({"pagse"}).code == 2);
}

TEST_CASE("every example names the schema in its folder, which the program writes") {
    namespace fs = std::filesystem;
    const fs::path examples = source_file("scenarios/examples");
    const fs::path schema = examples / "bursar.schema.json";
    const std::string text = bursar({"schema"}).out;
    if (updating())
        std::ofstream{schema} << text;
    CHECK(read_file(schema) == text);
    CHECK(contains(text, "\n  \"$id\": \"https://"));
    std::size_t num_examples = 0;
    for (const auto& entry : fs::recursive_directory_iterator{examples}) {
        if (entry.path().extension() != ".yaml")
            continue;
        ++num_examples;
        const std::string example = read_file(entry.path());
        const std::string modeline = "# yaml-language-server: $schema=";
        CAPTURE(entry.path().string());
        REQUIRE(example.starts_with(modeline));
        const std::string name =
            example.substr(modeline.size(), example.find('\n') - modeline.size());
        CHECK(fs::equivalent(entry.path().parent_path() / name, schema));
    }
    CHECK(num_examples > 10);
}

TEST_CASE("bash completes commands, options and short lists of values") {
    const Share share;
    const auto completed = [&](const std::string& words) {
        const TemporaryFolder folder;
        const std::string script = folder.write(
            "ask.sh",
            "source '" + share.path(bash_script).string() + "'\nCOMP_WORDS=(" + words +
                ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_bursar\necho \"${COMPREPLY[*]}\"\n");
        return run_program("bash", {script}).out;
    };
    CHECK(completed("bursar tr") == "trace\n");
    CHECK(completed("bursar trace ''") == "info convert synth fleet -h --help\n");
    CHECK(completed("bursar trace info --zo") == "--zone\n");
    CHECK(completed("bursar run --se") == "--set --seed\n");
    CHECK(completed("bursar run --format js") == "json\n");
    CHECK(completed("bursar run --format = mark") == "markdown\n");
    CHECK(completed("bursar run --format = ").find("table json") != std::string::npos);
    CHECK(completed("bursar run --seed 3 x.yaml --forma") == "--format\n");
    CHECK(completed("bursar run --set policy.roun") == "policy.rounds=\n");
    CHECK(completed("bursar run --set policy.queue = sj") == "sjf\n"); // = breaks words
    CHECK(completed("bursar run --set policy.queue = sjf,sr") == "\n");
    CHECK(completed("bursar compare --vary policy.queue = sjf,sr") == "sjf,srtf\n");
    CHECK(completed("bursar sweep --vary policy.broker =").starts_with("owned-first any "));
    CHECK(completed("bursar run --set fleet.main.gpu = H100-SX").starts_with("H100-SXM5-80GB"));
    CHECK(completed("bursar run --set until = ''") == "\n");
    CHECK(completed("bursar run policy.queue = sj") == "\n");
    CHECK(completed("bursar run scenario") == "\n"); // files, by readline
    CHECK(run_program("bash", {"-n", share.path(bash_script).string()}).code == 0);

    // Lists, and names that are continued.
    CHECK(completed("bursar run --files tab") == "table\n");
    CHECK(completed("bursar run --files table,js") == "table,json\n");
    CHECK(completed("bursar run --files '\"table,js'") == "table,json\n"); // in open quotes
    CHECK(completed("bursar run --files json,t") == "json,table json,timeline json,tenants\n");
    CHECK(completed("bursar run --files table,timeline,t") == "table,timeline,tenants\n");
    CHECK(completed("bursar compare --metrics cost.total,wait.p9") ==
          "cost.total,wait.p90 cost.total,wait.p99\n");
    CHECK(completed("bursar compare --goal wait.p9") == "wait.p90 wait.p99\n");
    CHECK(completed("bursar diff a b --fail-if goodp") == "goodput\n");
    CHECK(completed("bursar diff a b --fail-if 'wait.p99 > +1'") == "\n");
    CHECK(completed("bursar trace convert --to phil") == "philly-csv\n");
    CHECK(completed("bursar trace synth --like p") == "philly pai\n");
    CHECK(completed("bursar model step --gpu H100-SX") ==
          "H100-SXM5-80GB H100-SXM H100-SXM-80GB H100-SXM5-96GB\n");
    CHECK(completed("bursar model layout --precisions bf16,fp8,fp1") == "bf16,fp8,fp16\n");
}

TEST_CASE("names in completions need no quotes in any shell") {
    const Share share;
    std::istringstream lines{share.text(bash_script)};
    std::size_t num_options = 0;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t begin = line.find("values=\"");
        if (begin == std::string::npos)
            continue;
        ++num_options;
        CAPTURE(line.substr(0, 60));
        const std::string names = line.substr(begin + 8, line.find('"', begin + 8) - begin - 8);
        CHECK_FALSE(names.empty());
        CHECK(
            names.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                    ".-_+ ") == std::string::npos);
    }
    CHECK(num_options > 60);
}

TEST_CASE("zsh accepts the completions written for it") {
    if (!is_installed("zsh")) {
        MESSAGE("skipped: no zsh");
        return;
    }
    const Share share;
    CHECK(run_program("zsh", {"-n", share.path(zsh_script).string()}).code == 0);
}

TEST_CASE("fish completes commands, options and short lists of values") {
    if (!is_installed("fish")) {
        MESSAGE("skipped: no fish");
        return;
    }
    const Share share;
    const std::string ask =
        "source " + share.path(fish_script).string() + "; complete -C \"bursar ";
    CHECK(contains(run_program("fish", {"-c", ask + "trace conv\""}).out, "convert\t"));
    CHECK(contains(run_program("fish", {"-c", ask + "run --see\""}).out, "--seed\t"));
    CHECK(contains(run_program("fish", {"-c", ask + "run --format js\""}).out, "json\t"));
    const auto offered = [&](const std::string& words) {
        const std::string out = run_program("fish", {"-c", ask + words + "\""}).out;
        return "\n" + out.substr(0, out.find('\t')) + "\n";
    };
    CHECK(offered("run --files table,js") == "\ntable,json\n");
    CHECK(offered("run --files=table,js") == "\n--files=table,json\n");
    CHECK(offered("run --files foc") == "\nfocus\n");
    CHECK(offered("run --set policy.roun") == "\npolicy.rounds=\n");
    CHECK(offered("compare --vary policy.queue=sjf,sr") == "\npolicy.queue=sjf,srtf\n");
    CHECK(offered("run --set fleet.main.gpu=H100-SXM5-80") == "\nfleet.main.gpu=H100-SXM5-80GB\n");
    CHECK(offered("compare --metrics cost.total,makes") == "\ncost.total,makespan\n");
    CHECK(offered("diff a b --fail-if makes") == "\nmakespan\n");
}

TEST_CASE(
    "manual pages have no mistake except the missing date, which makes them equal every day") {
    if (!is_installed("mandoc")) {
        MESSAGE("skipped: no mandoc");
        return;
    }
    const Share share;
    for (const auto& entry : std::filesystem::directory_iterator{share.path("man/man1")}) {
        const std::string page = entry.path().string();
        CAPTURE(page);
        const std::string lint = run_program("mandoc", {"-T", "lint", "-W", "warning", page}).out;
        CHECK(std::ranges::count(lint, '\n') == 1);
        CHECK(contains(lint, "missing date"));
    }
}

// PLANNING.md answers twelve questions with a command each, and shows their output.
TEST_CASE("the answers of the planning page are the program's output" *
          doctest::test_suite("pages")) {
    const std::string page = source_file("PLANNING.md");
    hold_examples(page, "$ bursar run ", 3, 100);
    hold_examples(page, "$ bursar compare ", 5, 100);
    hold_examples(page, "$ bursar sweep ", 2, 100); // diff_test has `bursar diff`
    std::size_t questions = 0;
    for (const std::string& line : lines_of(read_file(page)))
        questions += line.starts_with("## ") && line.ends_with('?') ? 1 : 0;
    CHECK(questions == 15);
    CHECK(examples(lines_of(read_file(page)), "$ bursar ").size() == questions + 1); // two sweeps
}

} // namespace bursar::test::pages_test
