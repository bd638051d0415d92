#pragma once
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/places.hpp"

namespace bursar::test {

/// A temporary folder, removed by the destructor.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "bursar-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] std::string file(std::string_view name) const { return (path_ / name).string(); }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// Writes a file and returns its path.
    // NOLINTNEXTLINE(modernize-use-nodiscard)
    std::string write(std::string_view name, std::string_view content) const {
        std::ofstream{file(name), std::ios::binary} << content;
        return file(name);
    }

  private:
    std::filesystem::path path_;
};

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream in{path, std::ios::binary};
    std::ostringstream text;
    text << in.rdbuf();
    return std::move(text).str();
}

/// The result of a run of the program.
struct Answer {
    int code{};
    std::string out;
    std::string err;
};

/// Runs a program with these arguments, without a terminal, and waits for it. columns: value of
/// COLUMNS; 0: not set.
inline Answer run_program(const std::string& program,
                          const std::vector<std::string>& arguments,
                          std::size_t columns = 0,
                          const std::string& locale = "C.UTF-8") {
    const TemporaryFolder folder;
    std::string command =
        "COLUMNS=" + (columns > 0 ? std::to_string(columns) : "") + " LC_ALL=" + locale + " ";
    command += program;
    for (const std::string& argument : arguments) {
        command += " '";
        for (const char c : argument)
            command += c == '\'' ? std::string{"'\\''"} : std::string{c};
        command += "'";
    }
    command += " >'" + folder.file("out") + "' 2>'" + folder.file("err") + "' </dev/null";
    const int status = std::system(command.c_str()); // NOLINT(concurrency-mt-unsafe)
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            read_file(folder.file("out")),
            read_file(folder.file("err"))};
}

/// The same of bursar.
inline Answer bursar(const std::vector<std::string>& arguments,
                     std::size_t columns = 0,
                     const std::string& locale = "C.UTF-8") {
    return run_program(program_file(), arguments, columns, locale);
}

/// Rows of a CSV without quotes, each as column -> text.
inline std::vector<std::map<std::string, std::string>> read_plain_csv(const std::string& text) {
    std::istringstream lines{text};
    const auto split = [](const std::string& line) {
        std::vector<std::string> fields;
        std::istringstream in{line};
        for (std::string field; std::getline(in, field, ',');)
            fields.push_back(field);
        return fields;
    };
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> header = split(line);
    std::vector<std::map<std::string, std::string>> rows;
    while (std::getline(lines, line)) {
        const std::vector<std::string> fields = split(line);
        auto& row = rows.emplace_back();
        for (std::size_t i = 0; i < header.size() && i < fields.size(); ++i) {
            row[header[i]] = fields[i];
        }
    }
    return rows;
}

/// The text with one blank for every run of blanks and line breaks.
inline std::string unwrapped(const std::string& text) {
    std::istringstream in{text};
    std::string out;
    for (std::string word; in >> word;)
        out += (out.empty() ? "" : " ") + word;
    return out;
}

/// Whether `part` is in `text`, ignoring line breaks; a failed check shows the text.
inline bool has(const std::string& text, const std::string& part) {
    INFO(text);
    const bool found = text.find(part) != std::string::npos ||
                       unwrapped(text).find(unwrapped(part)) != std::string::npos;
    CHECK(found);
    return found;
}

} // namespace bursar::test
