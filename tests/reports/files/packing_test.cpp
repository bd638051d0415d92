#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>
#include <zlib.h>
#include <zstd.h>

#include "reports/files/packing.hpp"
#include "reports/files/write_outputs.hpp"
#include "reports/outputs/registry.hpp"

#include "tests/properties.hpp"
#include "tests/reports/support/sample_result.hpp"
#include "tests/tools/program.hpp"

namespace bursar::packing_test {
namespace {

namespace fs = std::filesystem;

/// The content of a gzip file.
std::string unpacked_gzip(std::string packed) {
    z_stream stream{};
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
    std::string text;
    std::array<char, 1U << 16U> part{};
    int status = Z_OK;
    while (status == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef*>(part.data());
        stream.avail_out = static_cast<uInt>(part.size());
        status = inflate(&stream, Z_NO_FLUSH);
        text.append(part.data(), part.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    CHECK(status == Z_STREAM_END);
    CHECK(stream.avail_in == 0);
    return text;
}

/// The content of a zstd file.
std::string unpacked_zstd(const std::string& packed) {
    ZSTD_DStream* stream = ZSTD_createDStream();
    ZSTD_inBuffer input{packed.data(), packed.size(), 0};
    std::string text;
    std::array<char, 1U << 16U> part{};
    std::size_t left = 1;
    while (left > 0 && ZSTD_isError(left) == 0) {
        ZSTD_outBuffer output{part.data(), part.size(), 0};
        const std::size_t before = input.pos;
        left = ZSTD_decompressStream(stream, &output, &input);
        text.append(part.data(), output.pos);
        if (output.pos == 0 && input.pos == before)
            break;
    }
    ZSTD_freeDStream(stream);
    CHECK(left == 0); // the frame is complete, and its checksum is right
    CHECK(input.pos == packed.size());
    return text;
}

std::string unpacked(const std::string& packed, Packing packing) {
    return packing == Packing::zstd ? unpacked_zstd(packed) : unpacked_gzip(packed);
}

} // namespace

TEST_CASE("packed files have the content of plain ones, and are equal for equal texts") {
    for (const Packing packing : {Packing::gzip, Packing::zstd}) {
        const std::string suffix{packing_suffixes[static_cast<std::size_t>(packing)]};
        CAPTURE(suffix);
        const test::TemporaryFolder scratch;
        for (const char* folder : {"a", "b"})
            write_outputs(test::sample_result(),
                          scratch.path() / folder,
                          {},
                          {},
                          {{find_output("jobs"), find_output("json")}, packing});
        CHECK(fs::exists(scratch.path() / "a" / "summary.json"));
        CHECK_FALSE(fs::exists(scratch.path() / "a" / "jobs.csv"));
        const std::string packed = test::read_file(scratch.path() / "a" / ("jobs.csv" + suffix));
        CHECK((packed == test::read_file(scratch.path() / "b" / ("jobs.csv" + suffix))));
        StringSink sink;
        find_output("jobs")->write(test::sample_result(), {}, sink);
        CHECK(unpacked(packed, packing) == sink.text());
    }
}

TEST_CASE("a folder has each file plain or packed, as the last run wrote it") {
    const test::TemporaryFolder scratch;
    const fs::path out = scratch.path() / "o";
    const auto write = [&](const std::vector<const Output*>& outputs, Packing packing) {
        write_outputs(test::sample_result(), out, {}, {}, {outputs, packing});
    };
    const auto names = [&] {
        std::set<std::string> found;
        for (const fs::directory_entry& entry : fs::directory_iterator{out})
            found.insert(entry.path().filename().string());
        return found;
    };
    const Output* jobs = find_output("jobs");
    const Output* tenants = find_output("tenants");
    write({jobs, tenants}, Packing::none);
    write({jobs}, Packing::gzip);
    CHECK(names() == std::set<std::string>{"jobs.csv.gz", "tenants.csv"});
    write({jobs}, Packing::zstd);
    CHECK(names() == std::set<std::string>{"jobs.csv.zst", "tenants.csv"});
    write({jobs}, Packing::none);
    CHECK(names() == std::set<std::string>{"jobs.csv", "tenants.csv"});
    fs::create_directory(out / "jobs.csv.gz"); // not a file of bursar
    write({jobs}, Packing::none);
    CHECK(fs::exists(out / "jobs.csv.gz"));
}

TEST_CASE("input files of a run are kept when output files are replaced") {
    const test::TemporaryFolder scratch;
    const std::string trace = scratch.write("jobs.csv.gz", "a trace");
    InputFiles inputs;
    inputs.add(trace);
    const ChosenOutputs plain{{find_output("jobs")}};
    CHECK_THROWS_AS(check_places_of_outputs(scratch.path(), inputs, plain), OutputIsInput);
    CHECK_THROWS_AS(write_outputs(test::sample_result(), scratch.path(), {}, inputs, plain),
                    OutputIsInput);
    CHECK(test::read_file(trace) == "a trace");
    CHECK_FALSE(fs::exists(scratch.path() / "jobs.csv"));
}

TEST_CASE("texts of any size are packed completely") {
    CHECK(check_property([] {
        const auto line = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
        const auto times = drawn::element_of(std::vector<int>{0, 1, 1000, 100'000});
        std::string text;
        StringSink out;
        const auto packing = drawn::one_of(Packing::gzip, Packing::zstd);
        write_packed(packing, out, [&](TextSink& sink) {
            for (int i = 0; i < times; ++i) {
                sink.put(line);
                sink.put_integer(i);
                text += line + std::to_string(i);
            }
        });
        RC_ASSERT(unpacked(out.text(), packing) == text);
    }));
}

} // namespace bursar::packing_test
