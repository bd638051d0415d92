#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/contains.hpp"
#include "tests/places.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::install_test {

namespace {

bool has_cmake() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe)
    if (std::system("command -v cmake >/dev/null") == 0)
        return true;
    MESSAGE("skipped: no cmake");
    return false;
}

std::string build_folder() {
    return std::filesystem::path{program_file()}.parent_path().string();
}

} // namespace

TEST_CASE("an installation has programs that run, pages, completions, the schema and documents") {
    if (!has_cmake())
        return;
    const TemporaryFolder folder;
    const std::string build = build_folder();
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
                             "bursar/summary.schema.json",
                             "doc/bursar/examples/bursar.schema.json",
                             "doc/bursar/examples/demo.yaml"}) {
        CAPTURE(name);
        CHECK_FALSE(read_file(folder.path() / "share" / name).empty());
    }
    const std::string page = read_file(folder.path() / "share/man/man1/bursar-batch.1");
    CHECK(contains(page, ".SH NAME\nbursar\\-batch \\- "));
    CHECK(contains(page, "--version, --help"));
    CHECK_FALSE(contains(page, "@help@"));
}

TEST_CASE("an installation has bursar alone if bursar-batch was not built") {
    if (!has_cmake())
        return;
    const TemporaryFolder folder;
    const std::string batch = build_folder() + "/bursar-batch";
    std::string script = read_file(build_folder() + "/cmake_install.cmake");
    REQUIRE(contains(script, batch));
    for (std::size_t at = 0; (at = script.find(batch, at)) != std::string::npos;)
        script.replace(at, batch.size(), folder.file("not_built"));
    const std::string prefix = "-DCMAKE_INSTALL_PREFIX=" + folder.path().string();
    const Answer installed =
        run_program("cmake", {prefix, "-P", folder.write("install.cmake", script)});
    CAPTURE(installed.err);
    REQUIRE(installed.code == 0);
    CHECK(contains(run_program(folder.file("bin/bursar"), {"demo"}).out, "\n  TOTAL "));
    CHECK_FALSE(read_file(folder.file("share/man/man1/bursar.1")).empty());
    CHECK_FALSE(std::filesystem::exists(folder.file("share/man/man1/bursar-batch.1")));
}

TEST_CASE("a package built by sudo has the time of the commit, and none is built without one") {
    const TemporaryFolder folder;
    const auto script = [&](const char* name, const std::string& body) {
        std::filesystem::permissions(folder.write(name, "#!/bin/sh\n" + body + "\n"),
                                     std::filesystem::perms::owner_all);
    };
    const auto package = [&](const std::string& variable) {
        return run_program("env",
                           {"--unset=SOURCE_DATE_EPOCH",
                            "PATH=" + folder.path().string() + ":/usr/bin:/bin",
                            variable,
                            source_file("tools/package"),
                            "--bare"});
    };
    script("id", "echo 1000");
    script("sudo", "printf '%s\\n' \"$@\"");
    script("git", "echo 1700000000");
    const Answer asked = package("TMPDIR=/tmp");
    CAPTURE(asked.err);
    CHECK(asked.code == 0);
    CHECK(contains(asked.out, "\nSOURCE_DATE_EPOCH=1700000000\n"));
    CHECK(contains(asked.out, "\nGIT_CONFIG_KEY_0=safe.directory\n"));
    CHECK(contains(asked.out, "/tools/package\n--bare\n"));
    script("git", "exit 128");
    const Answer unknown = package("TMPDIR=/tmp");
    CHECK(unknown.code == 1);
    CHECK(unknown.out.empty());
    CHECK(contains(unknown.err, "package: set SOURCE_DATE_EPOCH where"));
    CHECK(contains(package("SOURCE_DATE_EPOCH=12").out, "\nSOURCE_DATE_EPOCH=12\n"));
}

TEST_CASE("the bill of materials lists the package and what it is made of, with versions") {
    // NOLINTNEXTLINE(concurrency-mt-unsafe)
    if (std::system("command -v dpkg-deb >/dev/null && command -v dpkg-query >/dev/null") != 0) {
        MESSAGE("skipped: no dpkg");
        return;
    }
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "made" / "DEBIAN");
    folder.write("made/DEBIAN/control",
                 "Package: bursar\nVersion: 1.2.3-1\nArchitecture: amd64\n"
                 "Maintainer: a <a@b.example>\nDescription: x\n"
                 "Depends: libc6 (>= 2.36) | libc7, no-such-library\n");
    const std::string package = folder.file("bursar.deb");
    REQUIRE(run_program("dpkg-deb", {"-b", folder.file("made"), package}).code == 0);
    const Answer answer = run_program(source_file("tools/sbom"), {package});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    const auto bill = nlohmann::json::parse(answer.out);
    CHECK(bill["spdxVersion"] == "SPDX-2.3");
    CHECK_FALSE(std::string{bill["creationInfo"]["created"]}.starts_with("1970"));
    CHECK(bill["packages"][0]["versionInfo"] == "1.2.3-1");
    CHECK(bill["packages"][1]["name"] == "libc6");
    const std::string libc = run_program("dpkg-query", {"-W", "-f", "${Version}\n", "libc6"}).out;
    CHECK(libc.starts_with(std::string{bill["packages"][1]["versionInfo"]} + "\n"));
    CHECK(contains(answer.out, "\"libfmt-dev\""));
    CHECK_FALSE(contains(answer.out, "no-such-library"));
    CHECK(bill["relationships"].size() == bill["packages"].size());
    CHECK(run_program(source_file("tools/sbom"), {folder.file("none.deb")}).code == 2);
}

TEST_CASE("a citation names the version and the licence of the project") {
    const std::string citation = read_file(source_file("CITATION.cff"));
    const std::string project = read_file(source_file("CMakeLists.txt"));
    const std::size_t at = citation.find("\nversion: ") + 10;
    const std::string version = citation.substr(at, citation.find('\n', at) - at);
    CHECK(contains(project, "project(bursar VERSION " + version + " "));
    for (const char* file : {"CITATION.cff", "REUSE.toml", "tools/cmake/debian_copyright"})
        CHECK(contains(read_file(source_file(file)), "Apache-2.0"));
}

TEST_CASE("an image is based on Debian 12 slim, and leaves out the build folder") {
    const std::string image = read_file(source_file("tools/Containerfile"));
    std::size_t num_stages = 0;
    for (std::size_t at = image.find("\nFROM "); at != std::string::npos;
         at = image.find("\nFROM ", at + 1), ++num_stages)
        CHECK(image.substr(at + 6, 14) == "debian:12-slim");
    CHECK(num_stages == 2);
    CHECK(contains(read_file(source_file(".dockerignore")), "build/\n"));
}

} // namespace bursar::test::install_test
