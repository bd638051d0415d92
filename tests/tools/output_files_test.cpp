// Files that the program writes, and files that it must not change.

#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/places.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::output_files_test {
namespace {

namespace fs = std::filesystem;

const std::string trace = "job,submit,duration,gpus\na,0,60,1\nb,5,60,2\n";

/// A scenario that reads the trace `name`.
std::string scenario_of(const std::string& name) {
    return "bursar: 1\nworkload: {trace: {file: " + name +
           ", format: csv}}\nfleet: [{pool: p, purchase: owned, gpu: V100, nodes: 2, "
           "gpus_per_node: 8, price: 1 USD/gpu-h}]\n";
}

/// The command is refused because it would overwrite `input`, which stays unchanged.
void check_refused(const std::vector<std::string>& arguments, const std::string& input) {
    const std::string before = read_file(input);
    const Answer answer = bursar(arguments);
    CHECK(answer.code == 2);
    has(answer.err, "is an input of this command");
    CHECK((read_file(input) == before));
    CHECK(!before.empty());
}

std::vector<std::string> synth_into(const std::string& file) {
    return {"trace", "synth", "--like", "philly", "--jobs", "10", "--gpus", "8", "--out", file};
}

std::size_t num_files(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator{folder}, fs::directory_iterator{}));
}

} // namespace

TEST_CASE("no output of a run replaces a file that the run reads") {
    const TemporaryFolder folder;
    const std::string jobs = folder.write("jobs.csv", trace);
    const std::string scenario = folder.write("s.yaml", scenario_of("jobs.csv"));
    check_refused({"run", scenario, "--out", folder.path().string()}, jobs);
    CHECK(num_files(folder.path()) == 2);
    // by another path to the same folder
    fs::create_directory_symlink(folder.path(), folder.file("way"));
    check_refused({"run", scenario, "--out", folder.file("way")}, jobs);
    // a link to it
    fs::create_directory(folder.file("out"));
    fs::create_symlink(jobs, folder.file("out/attempts.csv"));
    check_refused({"run", scenario, "--out", folder.file("out")}, jobs);
    CHECK(num_files(folder.path() / "out") == 1);
    CHECK(bursar({"run", scenario, "--out", folder.file("new")}).code == 0);
}

TEST_CASE("included files, the catalogue and files of --set are inputs, too") {
    const TemporaryFolder folder;
    folder.write("t.csv", trace);
    const std::string base = folder.write("summary.json", scenario_of("t.csv"));
    const std::string scenario = folder.write("s.yaml", "include: summary.json\n");
    check_refused({"run", scenario, "--out", folder.path().string()}, base);

    const TemporaryFolder other;
    const std::string jobs = other.write("jobs.csv", trace);
    check_refused(
        {"run", scenario, "--set", "workload.trace.file=" + jobs, "--out", other.path().string()},
        jobs);
    const std::string catalogue =
        other.write("timeline.csv", read_file(source_file("scenarios/catalog/gpus.yaml")));
    fs::remove(jobs);
    check_refused({"run", scenario, "--catalog", catalogue, "--out", other.path().string()},
                  catalogue);
}

TEST_CASE("no output of a comparison or a report replaces an input") {
    const TemporaryFolder folder;
    const std::string jobs = folder.write("compare.csv", trace);
    const std::string scenario = folder.write("s.yaml", scenario_of("compare.csv"));
    check_refused(
        {"compare", scenario, "--vary", "policy.queue=fifo,sjf", "--out", folder.path().string()},
        jobs);
    REQUIRE(bursar({"run", scenario, "--out", folder.file("out")}).code == 0);
    check_refused({"report", folder.file("out/result.json"), "--out", folder.file("out")},
                  folder.file("out/result.json"));
}

TEST_CASE("a trace is not converted into its own file") {
    const TemporaryFolder folder;
    const std::string file = folder.write("t.csv", trace);
    check_refused({"trace", "convert", file, "--out", file}, file);
    fs::create_symlink(file, folder.file("link.csv"));
    check_refused({"trace", "convert", file, "--out", folder.file("link.csv")}, file);
    CHECK(bursar({"trace", "convert", file, "--out", folder.file("new.csv")}).code == 0);
    has(read_file(folder.file("new.csv")), "a,");
}

TEST_CASE("a drawn trace does not replace its statistics") {
    const TemporaryFolder folder;
    const std::string profiles =
        folder.write("own.yaml", read_file(source_file("scenarios/catalog/profiles.yaml")));
    std::vector<std::string> arguments = synth_into(profiles);
    arguments.insert(arguments.end(), {"--profiles", profiles});
    check_refused(arguments, profiles);
}

TEST_CASE("a folder that cannot be made is reported before the run") {
    const TemporaryFolder folder;
    folder.write("t.csv", "no trace");
    const std::string scenario = folder.write("s.yaml", scenario_of("t.csv"));
    const Answer answer = bursar({"run", scenario, "--out", folder.file("t.csv") + "/out"});
    CHECK(answer.code == 1);
    has(answer.err, "t.csv/out: cannot make the directory: Not a directory");
}

TEST_CASE("files of measurements and of topologies are not overwritten") {
    const TemporaryFolder folder;
    const std::string fabric = folder.write("s.yaml", scenario_of("t.csv"));
    check_refused({"catalog",
                   "topology",
                   fabric,
                   "--pool",
                   "p",
                   "--svg",
                   folder.path().string() + "/./s.yaml"},
                  fabric);
    const std::string rows = folder.write(
        "runs.csv",
        "id,source,framework,gpu,gpus,layers,hidden,heads,seq,global_batch,micro_batch,precision,"
        "attention,step_s\nr,own,mine,A100,8,24,1024,16,1024,8,1,fp16,unfused,0.1\n");
    check_refused({"model", "validate", folder.path().string(), "--rows", rows}, rows);
}

TEST_CASE("another file with the name of a temporary one is kept") {
    const TemporaryFolder folder;
    const std::string bystander = folder.write("u.csv.tmp", "mine");
    CHECK(bursar(synth_into(folder.file("u.csv"))).code == 0);
    CHECK(read_file(bystander) == "mine");
    const std::string other = folder.write("other", "theirs");
    fs::create_symlink(other, folder.file("v.csv.tmp"));
    CHECK(bursar(synth_into(folder.file("v.csv"))).code == 0);
    CHECK(read_file(other) == "theirs");
    CHECK(num_files(folder.path()) == 5);
}

TEST_CASE("a link is followed, and a device never replaced") {
    const TemporaryFolder folder;
    const std::string target = folder.write("target.csv", "old");
    fs::create_symlink(target, folder.file("link.csv"));
    CHECK(bursar(synth_into(folder.file("link.csv"))).code == 0);
    CHECK(fs::is_symlink(folder.file("link.csv")));
    has(read_file(target), "submit,duration");
    const Answer answer = bursar({"catalog", "topology", "dgx-h100", "--svg", "/dev/full"});
    CHECK(answer.code == 1);
    has(answer.err, "/dev/full: cannot be written");
    CHECK(fs::is_character_file("/dev/full"));
}

} // namespace bursar::test::output_files_test
