#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace bursar::test::model_collective_test {
namespace {

nlohmann::json json_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"model", "collective"});
    arguments.insert(arguments.end(), {"--format", "json"});
    const Answer answer = bursar(arguments);
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    return nlohmann::json::parse(answer.out);
}

double number(const nlohmann::json& in, const char* section, const char* key) {
    return in.at(section).at(key).get<double>();
}

} // namespace

TEST_CASE("bursar model collective: the terms add up to the time") {
    const auto answer =
        json_of({"all-reduce", "--size", "1 GiB", "--gpu", "H100-SXM5-80GB", "--gpus", "16"});
    const double time = number(answer, "collective", "time_s");
    CHECK(number(answer, "terms", "latency_s") + number(answer, "terms", "intra_s") +
              number(answer, "terms", "inter_s") - number(answer, "terms", "hidden_s") ==
          doctest::Approx(time));
    CHECK(number(answer, "collective", "busbw") ==
          doctest::Approx(1.875 * number(answer, "collective", "algbw")));
    CHECK(answer.at("algorithms").at(0).at("time_s").get<double>() <= time);
    CHECK(answer.at("sources").size() >= 2);
}

TEST_CASE("bursar model collective: without a size a table over sizes") {
    const auto answer = json_of({"--gpu", "A100-SXM4-80GB"});
    const auto& sizes = answer.at("sizes");
    REQUIRE(sizes.size() == 20);
    for (std::size_t i = 1; i < sizes.size(); ++i)
        CHECK(sizes[i].at("time_s").get<double>() > sizes[i - 1].at("time_s").get<double>());
    const Answer csv = bursar({"model", "collective", "--format", "csv"});
    CHECK(csv.out.starts_with("size_bytes,time_s,algorithm,algbw,busbw\n"));
}

TEST_CASE("bursar model collective: a measured curve overrides the model") {
    const TemporaryFolder folder;
    const auto curve = folder.write("curve.csv", "bytes,time_us\n1048576,100\n4194304,160\n");
    const auto answer = json_of({"--size", "2 MiB", "--curve", curve});
    CHECK(number(answer, "collective", "time_s") == doctest::Approx(120e-6));
    CHECK(number(answer, "curve", "latency_s") == doctest::Approx(80e-6).epsilon(0.02));
    CHECK(answer.at("warnings").empty());
    CHECK(json_of({"--size", "8 MiB", "--curve", curve}).at("warnings").size() == 1);
}

TEST_CASE("bursar model collective: impossible questions") {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--gpus", "1"},
                                                      {"all-together"},
                                                      {"--gpu", "K80"},
                                                      {"--size", "1 furlong"},
                                                      {"--size", "-1 GiB"},
                                                      {"--algorithm", "grouped"},
                                                      {"--curve", "/no/such/file.csv"}}) {
        CAPTURE(arguments.back());
        std::vector<std::string> command{"model", "collective"};
        command.insert(command.end(), arguments.begin(), arguments.end());
        const Answer answer = bursar(command);
        CHECK(answer.code == 2);
        CHECK(answer.out.empty());
        CHECK_FALSE(answer.err.empty());
    }
}

} // namespace bursar::test::model_collective_test
