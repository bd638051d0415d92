// The command `bursar model chinchilla`: options, warnings and refusals.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace bursar::test::model_chinchilla_test {
namespace {

Answer chinchilla(std::vector<std::string> options) {
    options.insert(options.begin(), {"model", "chinchilla"});
    return bursar(options);
}

nlohmann::json asked(std::vector<std::string> options) {
    options.insert(options.end(), {"--format", "json"});
    const Answer answer = chinchilla(std::move(options));
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    return nlohmann::json::parse(answer.out);
}

bool warns_of(const nlohmann::json& answer, const std::string& part) {
    for (const auto& warning : answer.at("warnings"))
        if (warning.get<std::string>().find(part) != std::string::npos)
            return true;
    return false;
}

std::string refusal(std::vector<std::string> options) {
    const Answer answer = chinchilla(std::move(options));
    CHECK(answer.code == 2);
    CHECK(answer.out.empty());
    return answer.err;
}

/// Runs on the surface 1.8 + 400 N^-0.34 + 1500 D^-0.36, a CSV.
std::string synthetic_runs(int count) {
    std::string text = "loss,tokens,params\n";
    for (int i = 0; i < count; ++i) {
        const double params = 1e8 * std::pow(2.0, i % 6);
        const double tokens = 1e9 * std::pow(3.0, static_cast<double>(i) / 6);
        const double loss = 1.8 + 400 * std::pow(params, -0.34) + 1500 * std::pow(tokens, -0.36);
        text += std::to_string(loss) + "," + std::to_string(tokens) + "," + std::to_string(params) +
                "\n";
    }
    return text;
}

} // namespace

TEST_CASE("a budget buys Besiroglu's optimum") {
    const auto answer = asked({"--flops", "1e24"});
    CHECK(answer["surface"]["id"] == "besiroglu2024");
    CHECK(answer["run"]["params"].get<double>() == doctest::Approx(9.59e10).epsilon(1e-3));
    CHECK(answer["run"]["tokens"].get<double>() == doctest::Approx(1.74e12).epsilon(1e-3));
    CHECK(answer["run"]["flops"].get<double>() == doctest::Approx(1e24).epsilon(1e-9));
    const auto& run = answer["run"];
    CHECK(run["loss_entropy"].get<double>() + run["loss_params"].get<double>() +
              run["loss_tokens"].get<double>() ==
          doctest::Approx(run["loss"].get<double>()));
    CHECK(answer["allocations"].size() == 8); // the run and the seven laws of FORMULAS 1.2
    CHECK(warns_of(answer, "extrapolation"));
    CHECK_FALSE(asked({"--flops", "1e21"}).contains("optimum"));
}

TEST_CASE("the widely copied coefficients are reported to overspend 2.65 times") {
    for (const auto& options :
         {std::vector<std::string>{"--coefficients", "blog"},
          {"--kn", "0.2536", "--a", "0.4995", "--kd", "1.7424", "--b", "0.5005"},
          {"--kn", "0.25", "--a", "0.5", "--kd", "1.76", "--b", "0.5"}}) {
        std::vector<std::string> all{"--flops", "1e23"};
        all.insert(all.end(), options.begin(), options.end());
        const auto answer = asked(all);
        CHECK(warns_of(answer, "blog"));
        CHECK(warns_of(answer, "2.6"));
        CHECK(answer["power_law"]["overspend"].get<double>() ==
              doctest::Approx(2.65).epsilon(0.01));
    }
    CHECK(chinchilla({"--flops", "1e23", "--coefficients", "blog"}).err.find("2.65 times") !=
          std::string::npos);
}

TEST_CASE("any other law that does not spend its budget is reported with its factor") {
    const auto twice =
        asked({"--flops", "1e22", "--kn", "0.1", "--a", "0.5", "--kd", "3.33333", "--b", "0.5"});
    CHECK(warns_of(twice, "overspends the budget: 6 N D is 2 times"));
    CHECK_FALSE(warns_of(twice, "a + b is not 1"));
    const auto bent =
        asked({"--flops", "1e22", "--kn", "0.1", "--a", "0.5", "--kd", "1.6", "--b", "0.49"});
    CHECK(warns_of(bent, "leaves unused a part of the budget"));
    CHECK(warns_of(bent, "a + b is not 1"));
    const auto honest = asked({"--flops", "1e22", "--kn", "0.1", "--a", "0.5"});
    CHECK(honest["warnings"].empty());
    CHECK(honest["power_law"]["overspend"].get<double>() == doctest::Approx(1));
}

TEST_CASE("two of N, D and C give the third, and the cost of being off the optimum") {
    const auto by_size = asked({"--params", "8e9", "--tokens", "1e12"});
    const auto by_budget = asked({"--params", "8e9", "--flops", "4.8e22"});
    const auto by_tokens = asked({"--tokens", "1e12", "--flops", "4.8e22"});
    for (const char* key : {"params", "tokens", "flops", "loss"}) {
        const double value = by_size["run"][key].get<double>();
        CHECK(by_budget["run"][key].get<double>() == doctest::Approx(value));
        CHECK(by_tokens["run"][key].get<double>() == doctest::Approx(value));
    }
    CHECK(by_size["optimum"]["loss"].get<double>() < by_size["run"]["loss"].get<double>());
    CHECK(by_size["optimum"]["excess_compute"].get<double>() > 0.1);
}

TEST_CASE("a target loss is met, at least cost or with the given size") {
    const auto cheapest = asked({"--target-loss", "2.1411"});
    CHECK(cheapest["run"]["params"].get<double>() == doctest::Approx(9.05e9).epsilon(2e-3));
    const auto sized = asked({"--target-loss", "2.1411", "--params", "4.62e9"});
    CHECK(sized["run"]["tokens"].get<double>() == doctest::Approx(4.47e11).epsilon(3e-3));
    CHECK(sized["run"]["loss"].get<double>() == doctest::Approx(2.1411));
    const auto served = asked({"--target-loss", "2.1411", "--inference-tokens", "1e12"});
    CHECK(served["serving"]["params"].get<double>() == doctest::Approx(4.62e9).epsilon(2e-3));
    CHECK(served["serving"]["tokens_per_param"].get<double>() == doctest::Approx(97).epsilon(6e-3));
    CHECK(served["serving"]["saved"].get<double>() > 0);
}

TEST_CASE("circumstances add their sections") {
    const auto data = asked({"--flops", "1e22", "--unique-tokens", "4.6e10"});
    CHECK(data["data"]["epochs"].get<double>() == doctest::Approx(4.006).epsilon(1e-3));
    CHECK(warns_of(asked({"--flops", "1e22", "--unique-tokens", "1e9"}),
                   "more than 10 times the parameters"));
    CHECK_FALSE(warns_of(data, "more than 10 times the parameters"));
    CHECK(data["data"]["best_loss"].get<double>() <= data["data"]["loss"].get<double>());
    const auto steps = asked({"--flops", "1e22", "--batch-tokens", "4e6"});
    CHECK(steps["steps"]["steps"].get<double>() ==
          doctest::Approx(steps["run"]["tokens"].get<double>() / 4e6));
    CHECK(warns_of(asked({"--flops", "1e22", "--batch-tokens", "1e8"}), "above the critical"));
    const auto sparse =
        asked({"--params", "12.9e9", "--total-params", "46.7e9", "--tokens", "1e12"});
    CHECK(sparse["experts"]["effective_params"].get<double>() ==
          doctest::Approx(24.54e9).epsilon(1e-3));
}

TEST_CASE("given tokens are trained on once, whatever the batch") {
    const auto large =
        asked({"--params", "405e9", "--tokens", "15.6e12", "--batch-tokens", "16e6"})["steps"];
    CHECK(large["tokens"].get<double>() == 15.6e12);
    CHECK(large["steps"].get<double>() == 975'000);
    const auto chinchilla =
        asked({"--params", "70e9", "--tokens", "1.4e12", "--batch-tokens", "3e6"});
    CHECK(chinchilla["steps"]["tokens"] == chinchilla["run"]["tokens"]);
    CHECK(chinchilla["steps"]["flops"] == chinchilla["run"]["flops"]);
}

TEST_CASE("tokens of a target loss are those of the surface's batch, moved to the given one") {
    const auto to_loss = [](const char* batch) {
        return asked({"--target-loss", "2", "--params", "70e9", "--batch-tokens", batch});
    };
    const auto same = to_loss("3e6");
    CHECK(same["steps"]["surface_batch"] == 3e6);
    CHECK(same["steps"]["tokens"].get<double>() ==
          doctest::Approx(same["run"]["tokens"].get<double>()));
    const auto larger = to_loss("16e6")["steps"];
    const double critical = larger["critical_batch"].get<double>();
    CHECK(larger["tokens"].get<double>() / same["run"]["tokens"].get<double>() ==
          doctest::Approx((1 + 16e6 / critical) / (1 + 3e6 / critical)));
    CHECK(to_loss("3e6")["sources"].dump().find("assumed: Chinchilla's own batch") !=
          std::string::npos);
}

TEST_CASE("hours and dollars follow from the peak and the utilisation") {
    const auto answer =
        asked({"--flops", "1e22", "--gpu", "H100", "--mfu", "0.4", "--price", "2.50 USD/gpu-h"});
    const double peak = answer["hours"]["peak"].get<double>();
    const double hours = answer["hours"]["gpu_hours"].get<double>();
    CHECK(hours == doctest::Approx(1e22 / (0.4 * peak) / 3600));
    CHECK(answer["hours"]["cost"].get<double>() == doctest::Approx(2.5 * hours));
    // Writing at a tenth of the utilisation weighs a token ten times.
    const auto served = asked({"--flops",
                               "1e22",
                               "--gpu",
                               "H100",
                               "--mfu",
                               "0.4",
                               "--write-mfu",
                               "0.04",
                               "--inference-tokens",
                               "1e11",
                               "--output-tokens",
                               "1e11"});
    CHECK(served["serving"]["served_tokens"].get<double>() == doctest::Approx(11e11));
}

TEST_CASE("money buys a run whose utilisation is that of the step model") {
    const auto answer =
        asked({"--dollars", "1e6", "--price", "2 USD/gpu-h", "--gpu", "H100", "--days", "60"});
    const auto& plan = answer["plan"];
    CHECK(plan["gpu_hours"].get<double>() == doctest::Approx(5e5));
    CHECK(plan["cost_usd"].get<double>() == doctest::Approx(1e6));
    CHECK(plan["duration_s"].get<double>() <= 60 * 86400);
    CHECK(plan["gpus"].get<double>() * plan["duration_s"].get<double>() ==
          doctest::Approx(5e5 * 3600));
    const double peak = 989e12;
    CHECK(answer["run"]["flops"].get<double>() ==
          doctest::Approx(5e5 * 3600 * peak * plan["utilisation"].get<double>()).epsilon(1e-3));
    // `bursar model layout` says the same step for the network that was timed.
    const Answer layout = bursar({"model",
                                  "layout",
                                  "--model",
                                  plan["shape"].get<std::string>(),
                                  "--gpu",
                                  "H100",
                                  "--gpus",
                                  plan["gpus"].dump(),
                                  "--global-batch",
                                  plan["global_batch"].dump(),
                                  "--format",
                                  "json"});
    REQUIRE(layout.code == 0);
    const auto best = nlohmann::json::parse(layout.out)["best_layouts"][0];
    CHECK(best["step_s"] == plan["timed_step_s"]);
    CHECK(plan["steps"].get<double>() * plan["step_s"].get<double>() ==
          doctest::Approx(plan["duration_s"].get<double>()).epsilon(1e-12));
    CHECK(plan["step_s"].get<double>() > 1.2 * plan["timed_step_s"].get<double>()); // 91e9 by 70e9
    REQUIRE(answer["range"].size() == 3);
    CHECK(answer["range"][1]["params"] == answer["run"]["params"]);
    CHECK(answer["range"][1]["steps"] == plan["steps"]);
    CHECK(answer["range"][1]["assumed"].get<std::string>().starts_with("timed as llama-3-70b, "));
    CHECK(answer["range"][0]["params"].get<double>() < answer["run"]["params"].get<double>());
    for (const auto& row : answer["range"]) {
        const auto of = [&row](const char* key) { return row[key].get<double>(); };
        const double batch = plan["global_batch"].get<double>() * 8192;
        CHECK(of("steps") * of("step_s") == doctest::Approx(of("duration_s")).epsilon(1e-12));
        CHECK(of("steps") * batch == doctest::Approx(of("tokens")).epsilon(1e-12));
        CHECK(row["duration_s"] == plan["duration_s"]);
        CHECK(row["cost_usd"] == plan["cost_usd"]);
        CHECK(of("planned_duration_s") / of("duration_s") ==
              doctest::Approx(plan["utilisation"].get<double>() / of("utilisation")));
        CHECK(of("planned_cost_usd") / of("cost_usd") ==
              doctest::Approx(of("planned_duration_s") / of("duration_s")));
    }
    CHECK(answer["range"][0]["planned_duration_s"].get<double>() >
          plan["duration_s"].get<double>());
    CHECK(answer["range"][2]["planned_cost_usd"].get<double>() < 1e6);
    CHECK_FALSE(answer.contains("hours"));
}

TEST_CASE("a plan's GPUs may be given, and what it assumes is said") {
    const std::vector<std::string> money{
        "--dollars", "2e4", "--price", "2 USD/gpu-h", "--gpu", "H100"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), money.begin(), money.end());
        return asked(more);
    };
    const auto assumed = with({});
    CHECK(warns_of(assumed, "neither --days nor --gpus is given: 30 days are assumed"));
    CHECK(assumed["plan"]["duration_s"].get<double>() <= 30 * 86400);
    CHECK(assumed["range"][0]["assumed"].get<std::string>().starts_with(
        "neither --days nor --gpus is given: 30 days are assumed; timed as "));
    const auto given = with({"--gpus", "64"});
    CHECK(given["plan"]["gpus"] == 64);
    CHECK(given["plan"]["duration_s"].get<double>() == doctest::Approx(1e4 / 64 * 3600));
    CHECK_FALSE(warns_of(given, "assumed"));
    const auto late = with({"--gpus", "8", "--days", "10"});
    CHECK(late["plan"]["cost_usd"].get<double>() == doctest::Approx(8 * 240 * 2));
    CHECK(warns_of(late, "8 GPUs spend 3840 of 2e+04 USD in 10 days; 42 would spend all"));
    const auto shaped = with({"--gpus", "64", "--model", "llama-3-8b"});
    CHECK(shaped["plan"]["shape"] == "llama-3-8b");
    // Its batch is near the wanted one: 122 sequences of 8,192 tokens.
    const auto sized = with({"--gpus", "64", "--params", "8e9", "--batch-tokens", "1e6"});
    CHECK(sized["run"]["params"] == 8e9);
    CHECK(sized["plan"]["shape"] == "llama-3-8b");
    CHECK(sized["plan"]["global_batch"] == 128);
    CHECK(sized["steps"]["batch_tokens"] == 1e6);
    // V100 has no bf16.
    const auto old =
        asked({"--dollars", "1e4", "--price", "1 USD/gpu-h", "--gpu", "V100-SXM2-32GB"});
    CHECK(old["plan"]["utilisation"].get<double>() > 0);
}

TEST_CASE("a plan that cannot be is refused with its reason") {
    const auto money = [](std::vector<std::string> more) {
        const std::vector<std::string> first{"--dollars", "1e6", "--gpu", "H100"};
        more.insert(more.begin(), first.begin(), first.end());
        return refusal(more);
    };
    const auto priced = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"--price", "2 USD/gpu-h"});
        return money(more);
    };
    CHECK(money({}).find("--price") != std::string::npos);
    CHECK(money({"--price", "0 USD/gpu-h"}).find("--price: is 0") != std::string::npos);
    CHECK(priced({"--flops", "1e22"}).find("--flops") != std::string::npos);
    CHECK(priced({"--mfu", "0.4"}).find("--mfu") != std::string::npos);
    CHECK(priced({"--params", "1e9", "--tokens", "1e9"}).find("remove one of the three") !=
          std::string::npos);
    CHECK(priced({"--days", "1e-9"}).find("more than 1000000; give more --days") !=
          std::string::npos);
    CHECK(priced({"--gpus", "1"}).find(": no layout on 1 GPUs fits") != std::string::npos);
    CHECK(priced({"--model", "resnet-50"}).find("not a transformer") != std::string::npos);
    CHECK(refusal({"--flops", "1e22", "--days", "3"}).find("--dollars") != std::string::npos);
}

TEST_CASE("smaller models stand beside the optimum, at the same compute and at the same loss") {
    const auto answer = asked({"--flops", "1e23", "--gpu", "H100", "--price", "2 USD/gpu-h"});
    const auto& rows = answer["over_training"];
    REQUIRE(rows.size() == 7);
    const double best = rows[0]["loss"].get<double>();
    CHECK(rows[0]["params"].get<double>() ==
          doctest::Approx(answer["run"]["params"].get<double>()));
    CHECK(rows[0]["cost_usd"].get<double>() ==
          doctest::Approx(answer["hours"]["cost"].get<double>()));
    for (int row = 1; row < 4; ++row) {
        CHECK(rows[row]["relative_flops"].get<double>() == doctest::Approx(1));
        CHECK(rows[row]["loss"].get<double>() > rows[row - 1]["loss"].get<double>());
        CHECK(rows[row]["served_to_pay"].is_null());
    }
    for (int row = 4; row < 6; ++row) {
        CHECK(rows[row]["loss"].get<double>() == doctest::Approx(best));
        CHECK(rows[row]["relative_flops"].get<double>() > 1);
        // With this much to serve both models cost the same.
        const double served = rows[row]["served_to_pay"].get<double>();
        const auto lifetime = [&](const nlohmann::json& run) {
            return run["params"].get<double>() * (6 * run["tokens"].get<double>() + 2 * served);
        };
        CHECK(lifetime(rows[row]) == doctest::Approx(lifetime(rows[0])));
    }
    CHECK(rows[6]["tokens"].is_null()); // an eighth of the optimum never reaches its loss
    CHECK(rows[6]["cost_usd"].is_null());
}

TEST_CASE("a user's runs give their surface, with intervals that a seed repeats") {
    const TemporaryFolder folder;
    const std::string file = folder.write("runs.csv", synthetic_runs(48));
    const std::vector<std::string> options{"--fit", file, "--bootstrap", "30", "--seed", "4"};
    const auto answer = asked(options);
    CHECK(answer["surface"]["entropy"].get<double>() == doctest::Approx(1.8).epsilon(1e-3));
    CHECK(answer["surface"]["alpha"].get<double>() == doctest::Approx(0.34).epsilon(1e-2));
    CHECK(answer["surface"]["beta"].get<double>() == doctest::Approx(0.36).epsilon(1e-2));
    CHECK(answer["fit"]["runs"] == 48);
    CHECK(answer["intervals"].size() == 6);
    CHECK_FALSE(answer.contains("run"));
    CHECK(asked(options) == answer);
    const auto with_budget = asked({"--fit", file, "--flops", "1e20"});
    CHECK(with_budget["surface"]["id"] == "fit");
    CHECK(with_budget["run"]["flops"].get<double>() == doctest::Approx(1e20));
}

TEST_CASE("impossible questions are refused in one line") {
    CHECK(refusal({}).find("nothing to solve for") != std::string::npos);
    CHECK(refusal({"--flops", "0"}).find("is not a number above 0") != std::string::npos);
    CHECK(refusal({"--flops", "inf"}).find("is not a number above 0") != std::string::npos);
    CHECK(refusal({"--params", "1e9", "--tokens", "1e10", "--flops", "1e22"})
              .find("remove one of the three") != std::string::npos);
    CHECK(refusal({"--target-loss", "1.5"}).find("irreducible loss") != std::string::npos);
    CHECK(refusal({"--target-loss", "2.2", "--batch-tokens", "3e7", "--gpu", "H100"})
              .find("GPU time would not have") != std::string::npos);
    CHECK(refusal({"--dollars",
                   "1e6",
                   "--price",
                   "2 USD/gpu-h",
                   "--gpu",
                   "H100",
                   "--days",
                   "60",
                   "--coefficients",
                   "blog"})
              .find("blog allocates another compute") != std::string::npos);
    CHECK(refusal({"--target-loss", "2.1", "--flops", "1e22"}).find("--params") !=
          std::string::npos);
    CHECK(refusal({"--flops", "1e22", "--coefficients", "hofmann_a3"})
              .find("did you mean \"hoffmann_a3\"") != std::string::npos);
    CHECK(refusal({"--kn", "0.1", "--a", "0.5"}).find("give --flops alone") != std::string::npos);
    CHECK(refusal({"--flops", "1e22", "--gpu", "H100", "--mfu", "40"}).find("bursar: mfu: 40") ==
          0);
    const TemporaryFolder folder;
    const std::string two = folder.write("two.csv", synthetic_runs(2));
    CHECK(refusal({"--fit", two}).find("2 runs") != std::string::npos);
    const std::string some = folder.write("some.csv", synthetic_runs(48));
    CHECK(refusal({"--fit", some, "--drop-highest", "40"}).find("8 are too few") !=
          std::string::npos);
    CHECK(refusal({"--fit", some, "--drop-highest", "-1"}).find("--drop-highest") !=
          std::string::npos);
    CHECK(refusal({"--fit", some, "--bootstrap", "1000000000000"}).find("--bootstrap") !=
          std::string::npos);
    CHECK(refusal({"--fit", some, "--bootstrap", "5"}).find("too few for an interval") !=
          std::string::npos);
}

} // namespace bursar::test::model_chinchilla_test
