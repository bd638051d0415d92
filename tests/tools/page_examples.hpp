#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "tests/places.hpp"
#include "tests/shared_data.hpp"
#include "tests/tools/program.hpp"

/// Compares the examples of pages with what their commands print.
namespace bursar::test {

/// A fenced block of the page: "$ bursar ..." and its output. A last line "..." stands for the
/// rest.
struct Example {
    std::string command;
    std::vector<std::string> shown;
    std::size_t first_line{}; ///< line number in the page of the first shown line
};

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

/// A command continues on the next line after a backslash.
inline std::vector<Example> examples(const std::vector<std::string>& page,
                                     const std::string& prompt) {
    std::vector<Example> found;
    for (std::size_t i = 0; i < page.size(); ++i) {
        if (!page[i].starts_with(prompt))
            continue;
        Example example;
        example.command = page[i].substr(9);
        while (example.command.ends_with('\\')) {
            example.command.pop_back();
            example.command += page[++i];
        }
        example.first_line = i + 1;
        for (++i; i < page.size() && page[i] != "```"; ++i)
            example.shown.push_back(page[i]);
        found.push_back(example);
    }
    return found;
}

/// Words of a command line; double quotes keep blanks.
inline std::vector<std::string> words(const std::string& command) {
    std::vector<std::string> out(1);
    bool quoted = false;
    for (const char c : command) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ' ' && !quoted && !out.back().empty())
            out.emplace_back();
        else if (c != ' ' || quoted)
            out.back() += c;
    }
    return out;
}

/// The example's command with the paths of shared data; empty if the data are absent.
inline std::optional<std::vector<std::string>> runnable(const Example& example) {
    constexpr std::string_view shared = "../shared/";
    std::vector<std::string> arguments = words(example.command);
    for (std::string& argument : arguments) {
        if (!argument.starts_with(shared))
            continue;
        const auto path = shared_data(argument.substr(shared.size()));
        if (!path)
            return std::nullopt;
        argument = path->string();
    }
    return arguments;
}

/// Sets the current folder to the project's, as the pages assume.
class InProject {
  public:
    InProject() { std::filesystem::current_path(source_file("")); }
    ~InProject() { std::filesystem::current_path(before_); }
    InProject(const InProject&) = delete;
    InProject& operator=(const InProject&) = delete;

  private:
    std::filesystem::path before_{std::filesystem::current_path()};
};

inline bool updating() {
    return std::getenv("BURSAR_UPDATE_GOLDEN") != nullptr; // NOLINT(concurrency-mt-unsafe)
}

/// The page with the new output of an example; as many lines as were shown, if it was cut.
inline void
update(std::vector<std::string>& page, const Example& example, std::vector<std::string> now) {
    const bool cut = !example.shown.empty() && example.shown.back() == "...";
    if (cut) {
        now.resize(std::min(now.size(), example.shown.size() - 1));
        now.emplace_back("...");
    }
    const auto at = page.begin() + static_cast<std::ptrdiff_t>(example.first_line);
    const auto after = page.erase(at, at + static_cast<std::ptrdiff_t>(example.shown.size()));
    page.insert(after, now.begin(), now.end());
}

/// The line without the seconds that a run took.
inline std::string without_time(const std::string& line) {
    constexpr std::string_view before = " events in ";
    const std::size_t begin = line.find(before);
    const std::size_t end =
        begin == std::string::npos ? begin : line.find(" s", begin + before.size());
    return end == std::string::npos ? line
                                    : line.substr(0, begin + before.size()) + line.substr(end);
}

/// Runs every example of the page in `file` that begins with `prompt`, at the width `columns` (0:
/// without a terminal), and compares the output, or rewrites the page under BURSAR_UPDATE_GOLDEN=1.
inline void hold_examples(const std::string& file,
                          const std::string& prompt,
                          std::size_t min_examples,
                          std::size_t columns = 0) {
    const InProject here;
    std::vector<std::string> page = lines_of(read_file(file));
    const std::vector<Example> all = examples(page, prompt);
    CHECK(all.size() >= min_examples);
    for (std::size_t i = all.size(); i-- > 0;) { // from the end: an update moves the lines after it
        const Example& example = all[i];
        const auto arguments = runnable(example);
        if (!arguments)
            continue;
        CAPTURE(example.command);
        const Answer answer = bursar(*arguments, columns);
        CHECK(answer.code == 0);
        std::vector<std::string> now = lines_of(answer.err + answer.out);
        if (updating()) {
            update(page, example, now);
            continue;
        }
        std::vector<std::string> shown = example.shown;
        if (!shown.empty() && shown.back() == "...") {
            shown.pop_back();
            now.resize(std::min(now.size(), shown.size()));
        }
        CHECK(!shown.empty()); // a "..." alone would match any output
        std::ranges::transform(now, now.begin(), without_time);
        std::ranges::transform(shown, shown.begin(), without_time);
        CHECK(now == shown);
    }
    if (updating()) {
        std::ofstream out{file, std::ios::binary};
        for (const std::string& line : page)
            out << line << '\n';
    }
}

} // namespace bursar::test
