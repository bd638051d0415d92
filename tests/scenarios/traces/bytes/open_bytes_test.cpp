#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"

#include "tests/scenarios/traces/temporary_file.hpp"
#include "tools/bench/packed.hpp"

namespace bursar::open_bytes_test {
namespace {

std::string read_all(ByteSource& bytes, std::size_t at_once) {
    std::string out;
    std::string window(at_once, '\0');
    while (const std::size_t n = bytes.read(window))
        out.append(window, 0, n);
    return out;
}

std::string unpack(std::string_view stored, std::size_t at_once = 1000) {
    return read_all(*decompressed("f", std::make_unique<MemorySource>(stored)), at_once);
}

std::string complaint(std::string_view stored) {
    try {
        unpack(stored);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

std::string numbers(int n) {
    std::string text;
    for (int i = 0; i < n; ++i)
        text += std::to_string(i * 7919) + '\n';
    return text;
}

} // namespace

TEST_CASE("bytes are unpacked for any storage and any sizes of reads") {
    const std::string text = numbers(50'000);
    for (const std::size_t at_once : {1, 7, 4096, 1'000'000}) {
        CAPTURE(at_once);
        CHECK(unpack(text, at_once) == text);
        CHECK(unpack(gzip(text), at_once) == text);
        CHECK(unpack(zstd(text), at_once) == text);
    }
}

TEST_CASE("files that are read as a whole unpack to at most 256 MiB") {
    // A megabyte of zeros per member: 257 of them are 257 kB packed.
    const std::string member = gzip(std::string(std::size_t{1} << 20, '0'));
    std::string packed;
    for (int i = 0; i < 257; ++i)
        packed += member;
    const auto unpacked = decompressed("f", std::make_unique<MemorySource>(packed));
    CHECK_THROWS_WITH_AS(whole_text(*unpacked, "f"),
                         "f: larger than 256 MiB (unpacked; only traces of rows may be larger)",
                         ScenarioError);
    const test::TemporaryFile file{packed};
    const auto bytes = open_bytes(file.path());
    CHECK_THROWS_AS(read_all(*bytes, std::size_t{1} << 20), ScenarioError);
}

TEST_CASE("plain files may have up to 1 GiB") {
    const test::TemporaryFile file{""};
    const auto count = [&] {
        const auto bytes = open_bytes(file.path());
        std::string window(std::size_t{1} << 20, '\0');
        std::size_t size = 0;
        while (const std::size_t n = bytes->read(window))
            size += n;
        return size;
    };
    std::filesystem::resize_file(file.path(), max_unpacked_bytes + 1); // takes no room on the disk
    CHECK(count() == max_unpacked_bytes + 1);
    std::filesystem::resize_file(file.path(), max_plain_bytes + 1);
    CHECK_THROWS_WITH_AS(
        count(),
        doctest::Contains(": larger than 1 GiB (only traces of rows may be larger)"),
        ScenarioError);
}

TEST_CASE("several gzip members or zstd frames are one text") {
    CHECK(unpack(gzip("one,") + gzip("") + gzip("two")) == "one,two");
    CHECK(unpack(zstd("one,") + zstd("") + zstd("two")) == "one,two");
}

TEST_CASE("an empty or one-byte file is plain") {
    CHECK(unpack("").empty());
    CHECK(unpack("x") == "x");
    CHECK(unpack(gzip("")).empty());
    CHECK(unpack(zstd("")).empty());
}

TEST_CASE("packed data that end early or are damaged are refused, never truncated") {
    const std::string text = numbers(50'000);
    const std::string gz = gzip(text);
    for (const std::size_t cut : {3UL, 10UL, gz.size() / 2, gz.size() - 8, gz.size() - 1}) {
        CAPTURE(cut);
        CHECK(complaint(gz.substr(0, cut)) ==
              "f: truncated gzip data (the file ends inside a gzip member)");
    }
    const std::string zst = zstd(text);
    for (const std::size_t cut : {5UL, zst.size() / 2, zst.size() - 1}) {
        CAPTURE(cut);
        CHECK(complaint(zst.substr(0, cut)) ==
              "f: truncated zstd data (the file ends inside a frame)");
    }
    std::string damaged = gz;
    damaged[gz.size() / 2] = static_cast<char>(~damaged[gz.size() / 2]);
    CHECK(complaint(damaged).starts_with("f: corrupt gzip data ("));
    damaged = zst;
    damaged[zst.size() / 2] = static_cast<char>(~damaged[zst.size() / 2]);
    CHECK(complaint(damaged).starts_with("f: corrupt zstd data ("));
    CHECK(complaint(gz + "garbage").starts_with("f: corrupt gzip data ("));
}

TEST_CASE("unsupported packings are named") {
    CHECK(complaint("\xfd"
                    "7zXZ...") == "f: xz is not supported; decompress it, or use gzip or zstd");
    CHECK(complaint("BZh91AY").starts_with("f: bzip2 is not supported"));
}

TEST_CASE("a file that cannot be read is refused with the system's message") {
    const auto folder = std::filesystem::temp_directory_path();
    const auto complaint_of = [](const std::string& path) -> std::string {
        try {
            read_all(*open_bytes(path), 100);
        } catch (const ScenarioError& error) {
            return error.what();
        }
        return {};
    };
    const std::string missing = (folder / "bursar-no-such-file").string();
    CHECK(complaint_of(missing) == missing + ": cannot open (No such file or directory)");
    CHECK(complaint_of(folder.string()) == folder.string() + ": cannot read (Is a directory)");
}

} // namespace bursar::open_bytes_test
