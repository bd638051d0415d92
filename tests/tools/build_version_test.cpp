#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "tests/tools/program.hpp"

namespace bursar::test::build_version_test {
namespace {

bool has_git_and_cmake() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe)
    return std::system("command -v git >/dev/null && command -v cmake >/dev/null") == 0;
}

/// A source folder, and the version of a build of it.
class Source {
  public:
    Source() { folder_.write("in", "@BURSAR_BUILD_VERSION@"); }

    void git(const std::string& words) const {
        const std::string command = "git -C " + folder_.path().string() +
                                    " -c user.name=a -c user.email=a@b.example " + words +
                                    " >/dev/null 2>&1";
        REQUIRE(std::system(command.c_str()) == 0); // NOLINT(concurrency-mt-unsafe)
    }
    void change(const std::string& text) const { folder_.write("file", text); }

    [[nodiscard]] std::string version() const {
        const std::string folder = folder_.path().string();
        const Answer answer = run_program("cmake",
                                          {"-DSOURCE=" + folder,
                                           "-DPROJECT=1.2.3",
                                           "-DINPUT=" + folder + "/in",
                                           "-DOUTPUT=" + out(),
                                           "-P",
                                           source_file("tools/cmake/git_version.cmake")});
        CAPTURE(answer.err);
        CHECK(answer.code == 0);
        std::string written = read_file(out());
        REQUIRE(written.ends_with('\n'));
        written.pop_back();
        return written;
    }
    [[nodiscard]] std::filesystem::file_time_type written() const {
        return std::filesystem::last_write_time(out());
    }

  private:
    [[nodiscard]] std::string out() const { return built_.file("out"); }
    TemporaryFolder folder_, built_;
};

} // namespace

TEST_CASE("a build has its tag as version, else its commit, else the project's version") {
    if (!has_git_and_cmake()) {
        MESSAGE("skipped: no git, or no cmake");
        return;
    }
    const Source source;
    CHECK(source.version() == "1.2.3");
    source.git("init");
    CHECK(source.version() == "1.2.3"); // no commit
    source.change("a");
    source.git("add file in");
    source.git("commit -m one");
    const std::string untagged = source.version();
    CHECK(untagged.starts_with("1.2.3+g"));
    CHECK(untagged.size() == 19); // twelve digits
    source.git("tag v1.3.0");
    CHECK(source.version() == "1.3.0");
    const auto written = source.written();
    CHECK(source.version() == "1.3.0");
    CHECK(source.written() == written); // nothing is compiled again
    source.change("b");
    CHECK(source.version() == "1.3.0+dirty");
    source.git("commit -am two");
    CHECK(source.version().starts_with("1.3.0+1.g"));
    source.change("c");
    CHECK(source.version().ends_with(".dirty"));
}

} // namespace bursar::test::build_version_test
