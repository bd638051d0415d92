#include <string>

#include <doctest/doctest.h>

#include "reports/outputs/registry.hpp"

#include "tests/places.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::trace_limits_test {

TEST_CASE("limits of a Perfetto trace are refused if none is written, or if nothing is left") {
    const TemporaryFolder folder;
    const Answer nowhere = bursar({"demo", "--trace-top", "3"});
    CHECK(nowhere.code == 2);
    CHECK(nowhere.err == "--trace-top: needs schedule.pftrace; add --format perfetto, or perfetto "
                         "to --files\n");
    CHECK(bursar({"demo", "--trace-to", "2 d", "--out", folder.file("a")}).code == 2);
    if (find_output("perfetto") == nullptr)
        return; // built without it
    const auto refused = [](const std::string& from, const std::string& to) {
        const Answer answer =
            bursar({"demo", "--format", "perfetto", "--trace-from", from, "--trace-to", to});
        CHECK(answer.code == 2);
        return answer.err;
    };
    CHECK(refused("2 d", "1 d") == "--trace-to: \"1 d\" is not after \"2 d\" of --trace-from\n");
    CHECK(refused("9000 d", "9001 d").starts_with("--trace-from: \"9000 d\" is after the end of"));
    CHECK(refused("tomorrow", "9 d").starts_with("--trace-from: \"tomorrow\" does not start with"));
    CHECK(
        refused("2017-13-40", "9 d").starts_with("--trace-from: \"2017-13-40\" is neither a date"));
    folder.write("jobs.csv", "job,submit,duration,gpus\na,0,60,1\n");
    const std::string undated = folder.write(
        "s.yaml",
        "bursar: 1\nworkload: {trace: {file: jobs.csv, format: csv}}\nfleet: [{pool: p, "
        "purchase: owned, gpu: V100, nodes: 1, gpus_per_node: 8, price: 1 "
        "USD/gpu-h}]\n");
    CHECK(bursar({"run", undated, "--format", "perfetto", "--trace-from", "2017-10-09"}).err ==
          "--trace-from: \"2017-10-09\" is a date, and the run has no dates; give a time since "
          "its start, such as 36 h\n");
}

} // namespace bursar::test::trace_limits_test
