#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "tests/contains.hpp"
#include "tests/places.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::install_test {

TEST_CASE("what is installed: programs that run, pages, completions, the schema, what to read") {
    // NOLINTNEXTLINE(concurrency-mt-unsafe)
    if (std::system("command -v cmake >/dev/null") != 0) {
        MESSAGE("skipped: no cmake");
        return;
    }
    const TemporaryFolder folder;
    const std::string build = std::filesystem::path{program_file()}.parent_path().string();
    const Answer installed =
        run_program("cmake", {"--install", build, "--prefix", folder.path().string()});
    CAPTURE(installed.err);
    REQUIRE(installed.code == 0);
    CHECK(contains(run_program(folder.file("bin/bursar"), {"demo"}).out, "\n  TOTAL "));
    CHECK(run_program(folder.file("bin/bursar-batch"), {"--version"}).code == 0);
    for (const char* name : {"man/man1/bursar.1",
                             "man/man1/bursar-trace-info.1",
                             "bash-completion/completions/bursar",
                             "zsh/vendor-completions/_bursar",
                             "fish/vendor_completions.d/bursar.fish",
                             "bursar/bursar.schema.json",
                             "doc/bursar/README.md",
                             "doc/bursar/examples/demo.yaml"}) {
        CAPTURE(name);
        CHECK_FALSE(read_file(folder.path() / "share" / name).empty());
    }
    const std::string page = read_file(folder.path() / "share/man/man1/bursar-batch.1");
    CHECK(contains(page, ".SH NAME\nbursar\\-batch \\- "));
    CHECK(contains(page, "--version, --help"));
    CHECK_FALSE(contains(page, "@help@"));
}

} // namespace bursar::test::install_test
