#include <set>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reports/validation/validation_report.hpp"

namespace bursar::validation_report_test {
namespace {

ValidatedRow row(const char* id, Tuning tuning, std::optional<double> predicted) {
    ValidatedRow result;
    result.id = id;
    result.file = "a,\"b\".csv";
    result.framework = "x\n<script>";
    result.gpu = "A100";
    result.quantity = "step_s";
    result.profile = "p";
    result.tuning = tuning;
    result.measured = 2;
    result.predicted = predicted;
    if (!predicted)
        result.why = "no such GPU";
    return result;
}

Validation three_rows() {
    Validation validation;
    validation.rows = {row("seen", Tuning::tuned, 2.2),
                       row("new", Tuning::unseen, 1.0),
                       row("odd", Tuning::unseen, std::nullopt)};
    validation.groups = grouped(validation.rows);
    return validation;
}

} // namespace

TEST_CASE("the JSON has the agreed keys and no others") {
    StringSink sink;
    write_validation_json(three_rows(), sink);
    const auto json = nlohmann::json::parse(sink.text());
    const auto keys = [](const nlohmann::json& object) {
        std::set<std::string> found;
        for (const auto& [key, value] : object.items())
            found.insert(key);
        return found;
    };
    CHECK(keys(json) == std::set<std::string>{"groups", "unanswered"});
    REQUIRE(json["groups"].size() == 2);
    CHECK(keys(json["groups"][0]) == std::set<std::string>{"file",
                                                           "framework",
                                                           "gpu",
                                                           "quantity",
                                                           "profile",
                                                           "tuned",
                                                           "n",
                                                           "answered",
                                                           "mape",
                                                           "median",
                                                           "p90",
                                                           "max",
                                                           "bias"});
    CHECK(json["groups"][0]["tuned"] == true);
    CHECK(json["groups"][0]["mape"].get<double>() == doctest::Approx(0.1));
    CHECK(json["groups"][1]["tuned"] == false);
    CHECK(json["groups"][1]["n"] == 2);
    CHECK(json["groups"][1]["answered"] == 1);
    CHECK(json["groups"][1]["bias"].get<double>() == doctest::Approx(-0.5));
    REQUIRE(json["unanswered"].size() == 1);
    CHECK(keys(json["unanswered"][0]) == std::set<std::string>{"id", "why"});
    CHECK(json["unanswered"][0]["id"] == "odd");
}

TEST_CASE("a group without an answer has no errors rather than zero errors") {
    Validation validation;
    validation.rows = {row("odd", Tuning::unseen, std::nullopt)};
    validation.groups = grouped(validation.rows);
    StringSink sink;
    write_validation_json(validation, sink);
    const auto json = nlohmann::json::parse(sink.text());
    CHECK(json["groups"][0]["answered"] == 0);
    CHECK(json["groups"][0]["mape"].is_null());
}

TEST_CASE("tuned rows and unseen rows are in separate tables") {
    StringSink sink;
    write_validation_table(three_rows(), sink);
    const std::string& text = sink.text();
    const std::size_t unseen = text.find("Unseen sources");
    const std::size_t tuned = text.find("Tuned rows");
    REQUIRE(unseen != std::string::npos);
    REQUIRE(tuned != std::string::npos);
    CHECK(text.find("50.0 %") > unseen);
    CHECK(text.find("10.0 %") > tuned);
    CHECK(text.find("odd") != std::string::npos);
    CHECK(text.find("no such GPU") != std::string::npos);
    CHECK(text.find("x\n<script>") == std::string::npos); // a name cannot break a line
}

TEST_CASE("rows and groups as CSV survive names with commas, quotes and line ends") {
    StringSink groups;
    write_validation_csv(three_rows(), groups);
    CHECK(groups.text().find("\"a,\"\"b\"\".csv\"") != std::string::npos);
    StringSink rows;
    write_validated_rows(three_rows(), rows);
    CHECK(rows.text().starts_with("id,file,framework,gpu,quantity,profile,tuned,measured,predicted,"
                                  "error,why,assumptions,distance,low,high\n"));
    CHECK(rows.text().find("new,") != std::string::npos);
}

} // namespace bursar::validation_report_test
