#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/files/locked_folder.hpp"
#include "reports/files/pending_file.hpp"
#include "reports/files/write_files.hpp"
#include "reports/files/write_outputs.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/saved_result.hpp"

#include "tests/reports/support/expect_error.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::write_outputs_test {
namespace {

namespace fs = std::filesystem;

/// A temporary directory, removed with its content.
class ScratchDirectory {
  public:
    ScratchDirectory() {
        std::string name = (fs::temp_directory_path() / "bursar-test-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;
    ~ScratchDirectory() { fs::remove_all(path_); }

    [[nodiscard]] const fs::path& path() const { return path_; }
    [[nodiscard]] std::set<std::string> names() const {
        std::set<std::string> out;
        for (const fs::directory_entry& entry : fs::directory_iterator{path_})
            out.insert(entry.path().filename().string());
        return out;
    }

  private:
    fs::path path_;
};

/// While it lives, no file of this process grows past `bytes`: a simulated full disk.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) : old_handler_{std::signal(SIGXFSZ, SIG_IGN)} {
        ::getrlimit(RLIMIT_FSIZE, &old_limit_);
        const rlimit limit{bytes, old_limit_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &old_limit_);
        std::signal(SIGXFSZ, old_handler_);
    }

  private:
    void (*old_handler_)(int);
    rlimit old_limit_{};
};

std::string text_of(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

TEST_CASE("every output of the registry is written, and result.json makes them again") {
    const ScratchDirectory scratch;
    const fs::path directory = scratch.path() / "a" / "b";
    write_outputs(test::sample_result(), directory, {}, {});
    for (const Output* output : usual_outputs()) {
        CAPTURE(output->file);
        const std::string text = text_of(directory / output->file);
        StringSink sink;
        output->write(load_result(directory / "result.json"), {}, sink);
        CHECK(text == sink.text());
    }
    const auto num_files =
        std::distance(fs::directory_iterator{directory}, fs::directory_iterator{});
    CHECK(static_cast<std::size_t>(num_files) == usual_outputs().size());
}

TEST_CASE("only chosen outputs are written") {
    const ScratchDirectory scratch;
    write_outputs(test::sample_result(),
                  scratch.path(),
                  {},
                  {},
                  {{find_output("focus"), find_output("prometheus")}});
    CHECK(scratch.names() == std::set<std::string>{"focus.csv", "metrics.prom"});
}

TEST_CASE("names and files of outputs are unique") {
    std::set<std::string_view> names;
    std::set<std::string_view> files;
    for (const Output& output : outputs()) {
        names.insert(output.name);
        files.insert(output.file);
        CHECK(find_output(output.name) == &output);
    }
    CHECK(names.size() == outputs().size());
    CHECK(files.size() == outputs().size());
    CHECK(find_output("nonsense") == nullptr);
}

TEST_CASE("a directory that cannot be made is named") {
    const ScratchDirectory scratch;
    std::ofstream{scratch.path() / "file"} << "x";
    const std::string error = test::report_error_of(
        [&] { write_outputs(test::sample_result(), scratch.path() / "file" / "out", {}, {}); });
    CHECK(error.find("file/out: cannot make the directory: Not a directory") != std::string::npos);
}

TEST_CASE("a write that fails half-way leaves the old files only") {
    const ScratchDirectory scratch;
    std::ofstream{scratch.path() / "summary.json"} << "old";
    std::string error;
    {
        const FileSizeLimit limit{2'000}; // summary.json is longer
        error = test::report_error_of(
            [&] { write_outputs(test::sample_result(), scratch.path(), {}, {}); });
    }
    CHECK(error.find("cannot be written: File too large") != std::string::npos);
    CHECK(scratch.names() == std::set<std::string>{"summary.json"});
    CHECK(text_of(scratch.path() / "summary.json") == "old");
}

TEST_CASE("a file that cannot be replaced is named, and no temporary file is left") {
    const ScratchDirectory scratch;
    fs::create_directories(scratch.path() / "bill.txt" / "full");
    const std::string error = test::report_error_of(
        [&] { write_outputs(test::sample_result(), scratch.path(), {}, {}); });
    CHECK(error.find("bill.txt: cannot be replaced") != std::string::npos);
    CHECK(scratch.names() == std::set<std::string>{"bill.txt"});
}

TEST_CASE("a file that cannot be replaced leaves the other files of an earlier run unchanged") {
    const ScratchDirectory scratch;
    std::ofstream{scratch.path() / "bill.txt"} << "old";
    fs::create_directory(scratch.path() / "jobs.csv");
    const std::string error = test::report_error_of(
        [&] { write_outputs(test::sample_result(), scratch.path(), {}, {}); });
    CHECK(error.find("jobs.csv: cannot be replaced: Is a directory") != std::string::npos);
    CHECK(scratch.names() == std::set<std::string>{"bill.txt", "jobs.csv"});
    CHECK(text_of(scratch.path() / "bill.txt") == "old");
}

TEST_CASE("a file that fails late to replace the old one leaves every file unchanged") {
    const ScratchDirectory scratch;
    std::ofstream{scratch.path() / "a"} << "old";
    const auto text = [](TextSink& sink) { sink.put("new"); };
    const std::string error = test::report_error_of([&] {
        write_files(scratch.path(),
                    {{"a", text},
                     {"b", text},
                     {"c",
                      [&](TextSink& sink) {
                          sink.put("new");
                          fs::create_directory(scratch.path() / "c"); // after all was checked
                      }}},
                    {});
    });
    CHECK(error.find("/c: cannot be replaced: Is a directory") != std::string::npos);
    CHECK(scratch.names() == std::set<std::string>{"a", "c"});
    CHECK(text_of(scratch.path() / "a") == "old");
}

TEST_CASE("a folder that cannot be made or written into is reported beforehand") {
    const ScratchDirectory scratch;
    std::ofstream{scratch.path() / "file"} << "x";
    check_place(scratch.path() / "new" / "folder", "jobs.csv", {});
    CHECK(scratch.names() == std::set<std::string>{"file"});
    const std::string error = test::report_error_of(
        [&] { check_place(scratch.path() / "file" / "out", "jobs.csv", {}); });
    CHECK(error.find("file/out: cannot make the directory: Not a directory") != std::string::npos);
}

TEST_CASE("an open descriptor is written to, not replaced") {
    const ScratchDirectory scratch;
    const fs::path all = scratch.path() / "all.csv";
    std::ofstream{all} << "old\n";
    const int appending = ::open(all.c_str(), O_WRONLY | O_APPEND);
    REQUIRE(appending >= 0);
    const fs::path name = "/dev/fd/" + std::to_string(appending);
    write_file(name, {}, [](TextSink& sink) { sink.put("new\n"); });
    CHECK(text_of(all) == "old\nnew\n");
    InputFiles inputs;
    inputs.add(all);
    CHECK_THROWS_AS(write_file(name, inputs, [](TextSink& sink) { sink.put("more"); }),
                    OutputIsInput);
    ::close(appending);
    CHECK(text_of(all) == "old\nnew\n");
}

TEST_CASE("a file has no name until it is complete, if the file system supports it") {
    const ScratchDirectory scratch;
    const int nameless = ::open(scratch.path().c_str(), O_TMPFILE | O_WRONLY, 0666);
    if (nameless >= 0)
        ::close(nameless);
    const std::string temporary = ".x.bursar-" + std::to_string(::getpid()) + "-0";
    PendingFile file{scratch.path(), "x", {}};
    file.put(std::string(200'000, 'a')); // more than is buffered
    const std::set<std::string> before{temporary};
    CHECK(scratch.names() == (nameless >= 0 ? std::set<std::string>{} : before));
    file.finish();
    file.link();
    CHECK(scratch.names() == std::set<std::string>{temporary});
    file.put_in_place();
    file.discard();
    CHECK(scratch.names() == std::set<std::string>{"x"});
    CHECK(text_of(scratch.path() / "x") == std::string(200'000, 'a'));
}

TEST_CASE("files of a killed process are removed, those of a living one are not") {
    const ScratchDirectory scratch;
    std::ofstream{scratch.path() / ".jobs.csv.bursar-1-0"} << "left";
    std::ofstream{scratch.path() / ".jobs.csv.bursar-2-0"} << "in work";
    std::ofstream{scratch.path() / ".jobs.csv.bursar-notes"} << "of the user";
    const int claimed = ::open((scratch.path() / ".jobs.csv.bursar-2-0").c_str(), O_RDONLY);
    REQUIRE(::flock(claimed, LOCK_EX) == 0);
    write_outputs(test::sample_result(), scratch.path(), {}, {});
    ::close(claimed);
    const std::set<std::string> names = scratch.names();
    CHECK(!names.contains(".jobs.csv.bursar-1-0"));
    CHECK(names.contains(".jobs.csv.bursar-2-0"));
    CHECK(names.contains(".jobs.csv.bursar-notes"));
    CHECK(names.contains("jobs.csv"));
}

TEST_CASE("a folder that another process writes into is waited for") {
    const ScratchDirectory scratch;
    auto other = std::make_unique<LockedFolder>(scratch.path());
    std::thread writer{[&] { write_outputs(test::sample_result(), scratch.path(), {}, {}); }};
    std::this_thread::sleep_for(std::chrono::milliseconds{200});
    CHECK(scratch.names().empty());
    other.reset();
    writer.join();
    CHECK(scratch.names().size() == usual_outputs().size());
}

TEST_CASE("a folder that stays locked is an error") {
    const ScratchDirectory scratch;
    const LockedFolder other{scratch.path()};
    const std::string error = test::report_error_of(
        [&] { const LockedFolder mine(scratch.path(), std::chrono::milliseconds{30}); });
    CHECK(error.find("another process is writing into this folder") != std::string::npos);
}

TEST_CASE("a signal never leaves files of two runs side by side, nor temporary ones") {
    const ScratchDirectory scratch;
    const auto write = [&](const std::string& text) {
        std::vector<FileContent> contents;
        for (int n = 0; n < 40; ++n)
            contents.push_back(
                {"f" + std::to_string(n), [text](TextSink& sink) { sink.put(text); }});
        write_files(scratch.path(), contents, {});
    };
    write("a");
    // The test program's signal handler must not run in a child that has just started.
    const auto handler = std::signal(SIGTERM, SIG_DFL);
    for (int trial = 0; trial < 40; ++trial) {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            for (char letter = 'a';; letter = letter == 'z' ? 'a' : static_cast<char>(letter + 1))
                write(std::string(1, letter));
        }
        std::this_thread::sleep_for(std::chrono::microseconds{2'000 + 1'370 * trial});
        ::kill(child, SIGTERM);
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(WIFSIGNALED(status));
        std::set<std::string> texts;
        for (const std::string& name : scratch.names())
            texts.insert(text_of(scratch.path() / name));
        CHECK(texts.size() == 1);
        CHECK(scratch.names().size() == 40);
    }
    std::signal(SIGTERM, handler);
}

TEST_CASE("two reproducible runs are equal in every file, for any run time") {
    Result result = test::sample_result();
    OutputOptions options;
    options.reproducible = true;
    const auto all = [&] {
        std::string text;
        for (const Output& output : outputs()) {
            StringSink sink;
            output.write(result, options, sink);
            text += sink.text();
        }
        return text;
    };
    const std::string once = all();
    result.run.wall *= 3;
    result.run.policy_time *= 3;
    result.run.peak_rss_bytes *= 3;
    CHECK(all() == once);
    StringSink saved;
    write_saved_result(result, options, saved);
    CHECK(saved.text().find("wall_ns") == std::string::npos);
    CHECK(parse_result(saved.text(), "saved").run.wall.count() == 0);
}

} // namespace bursar::write_outputs_test
