#include <memory>

#include <doctest/doctest.h>

#include "scenarios/document/parse_document.hpp"
#include "scenarios/reader/decimal.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

#include "tests/properties.hpp"

namespace bursar::rules_test {
namespace {

/// The value of a rule, or its message about `yaml`.
template <class Rule>
struct Tried {
    std::optional<typename Rule::value_type> value;
    std::string mistake;
};

template <ValueRule Rule>
Tried<Rule> tried(const Rule& rule, std::string_view yaml) {
    const auto source = std::make_shared<const Source>(Source{"a.yaml", "dir", 0, true});
    const Node node = parse_document(yaml, source);
    Findings findings;
    Tried<Rule> result{rule.read(Reader{node, findings, "key"}), {}};
    if (!findings.empty())
        result.mistake = findings.sorted()[0].text();
    CHECK(result.value.has_value() == findings.empty());
    return result;
}

const std::string at = "a.yaml:1:1: key: ";

} // namespace

TEST_CASE("quantities are converted exactly") {
    CHECK(tried(duration(), "90 s").value == 90 * second);
    CHECK(tried(duration(), "1.5 h").value == 90 * minute);
    CHECK(tried(duration(), "0.1 s").value == 100 * millisecond);
    CHECK(tried(duration(), "4 y").value == 4 * year);
    CHECK(tried(duration(), "2 w").value == 14 * day);
    CHECK(tried(duration(), "30min").value == 30 * minute);
    CHECK(tried(duration(), "'3   d'").value == 3 * day);
    CHECK(tried(amount(gpu_prices), "2.10 USD/gpu-h").value == 2'100'000'000);
    CHECK(tried(amount(gpu_prices), "0.000000001 USD/gpu-h").value == 1);
    CHECK(tried(amount(byte_counts), "2 GiB").value == std::int64_t{2} << 30);
    CHECK(tried(amount(byte_counts), "20 GB").value == 20'000'000'000);
    CHECK(tried(amount(powers), "0.7 kW").value == 700'000);
    CHECK(tried(amount(byte_counts), "999999999.999999999 GB").value == 999'999'999'999'999'999);
}

TEST_CASE("every quantity has a largest value") {
    const auto message = [](const Dimension& dimension, const std::string& text) {
        return tried(amount(dimension), text).mistake;
    };
    CHECK(message(byte_counts, "1000001 TB") ==
          at + "\"1000001 TB\" is too large (at most 1000000 TB)");
    CHECK(message(byte_rates, "9000000 TB/s").ends_with("is too large (at most 1000000 TB/s)"));
    CHECK(message(powers, "1001 kW").ends_with("is too large (at most 1000 kW)"));
    CHECK(message(energy_prices, "9000000 USD/kWh").ends_with("(at most 1000000 USD/kWh)"));
    CHECK(message(flop_rates, "1001 PFLOP/s").ends_with("(at most 1000 PFLOP/s)"));
    CHECK(message(gpu_times, "1000000001 gpu-h").ends_with("(at most 1000000000 gpu-h)"));
}

TEST_CASE("yes and no are accepted in every form of YAML") {
    for (const char* yes : {"yes", "Yes", "YES", "true", "True", "on", "'yes'"})
        CHECK(tried(yes_or_no(), yes).value == true);
    for (const char* no : {"no", "No", "false", "FALSE", "off", "'no'"})
        CHECK(tried(yes_or_no(), no).value == false);
    CHECK(tried(yes_or_no(), "1").mistake ==
          at + "\"1\" is neither yes nor no (or true and false)");
    CHECK(tried(yes_or_no(), "[yes]").mistake == at + "expected yes or no, found a list");
}

TEST_CASE("a name is accepted in other spellings, and becomes the known one") {
    const NameRule purchases = one_of({"owned", "on_demand", "best-fit"});
    for (const char* spelling : {"on_demand", "on-demand", "ondemand", "On-Demand", "ON DEMAND"})
        CHECK(tried(purchases, spelling).value == "on_demand");
    CHECK(tried(purchases, "best_fit").value == "best-fit");
    CHECK(tried(purchases, "-owned").mistake ==
          at + "unknown name \"-owned\"; did you mean \"owned\"?");
    CHECK(tried(one_of({"a-b", "a_b"}), "ab").mistake.find("unknown name") != std::string::npos);
}

TEST_CASE("fractions of the smallest unit round half up") {
    CHECK(tried(duration(), "0.0005 s").value == 1 * millisecond);
    CHECK(tried(duration(), "0.000499999999999999 s").value == 0 * millisecond);
    CHECK(tried(amount(gpu_prices), "0.0000000015 USD/gpu-h").value == 2);
}

TEST_CASE("each mistake in a quantity has a specific message") {
    const std::string duration_such = "expected a duration such as \"15 min\"";
    const std::pair<std::string, std::string> cases[] = {
        {"30", "\"30\" has no unit (" + duration_such + ")"},
        {"'2.10'", "\"2.10\" has no unit (" + duration_such + ")"},
        {"5 sec",
         "\"5 sec\" has the unknown unit \"sec\" (" + duration_such +
             "); units: ms, s, min, h, d, w, y"},
        {"5 s extra",
         "\"5 s extra\" has the unknown unit \"s extra\" (" + duration_such +
             "); units: ms, s, min, h, d, w, y"},
        {"-3 s", "\"-3 s\" is negative (a duration is zero or more)"},
        {".nan s", "\".nan s\" is not a finite number (" + duration_such + ")"},
        {"NaN", "\"NaN\" is not a finite number (" + duration_such + ")"},
        {"-inf h", "\"-inf h\" is not a finite number (" + duration_such + ")"},
        {"soon", "\"soon\" does not start with a number (" + duration_such + ")"},
        {"1,5 h", "\"1,5 h\" does not start with a number (" + duration_such + ")"},
        {"1.2.3 s", "\"1.2.3 s\" does not start with a number (" + duration_such + ")"},
        {"'' ", "\"\" does not start with a number (" + duration_such + ")"},
        {"1e3 s", "\"1e3 s\" has an exponent (exponents are not supported); write the number out"},
        {"1.5E-3 s",
         "\"1.5E-3 s\" has an exponent (exponents are not supported); write the number out"},
        {"999999999 y", "\"999999999 y\" is too large to be counted"},
        {"9999999999999999999 s",
         "\"9999999999999999999 s\" has too many digits (at most 18 before and after the point)"},
        {"[1 s]", "expected a duration such as \"15 min\", found a list"},
        {"~", "expected a duration such as \"15 min\", found nothing"},
    };
    for (const auto& [yaml, message] : cases)
        CHECK(tried(duration(), yaml).mistake == at + message);
    CHECK(tried(duration(Zero::refused), "0 s").mistake ==
          at + "\"0 s\" is zero (a duration above zero)");
    CHECK(tried(duration(Zero::refused), "0.1 ms").mistake ==
          at + "\"0.1 ms\" rounds to zero (a duration above zero)");
    CHECK(tried(amount(gpu_prices), "2.10").mistake ==
          at + "\"2.10\" has no unit (expected a rate such as \"2.10 USD/gpu-h\")");
}

TEST_CASE("decimals scale exactly: agreement with integer arithmetic") {
    CHECK(check_property("decimals", [] {
        const auto whole = drawn::in_range<std::int64_t>(0, 1'000'000'000);
        const auto milli = drawn::in_range<std::int64_t>(0, 1000);
        const auto factor = drawn::in_range<std::int64_t>(1, 4'000'000);
        std::string text = std::to_string(1000 + milli);
        text[0] = '.';
        const auto decimal = parse_decimal(std::to_string(whole) + text);
        RC_ASSERT(decimal.has_value());
        RC_ASSERT(decimal->times(factor) == (2 * (whole * 1000 + milli) * factor + 1000) / 2000);
    }));
}

TEST_CASE("whole numbers") {
    const WholeNumberRule rule = whole_number(1, 100);
    CHECK(tried(rule, "100").value == 100);
    CHECK(tried(rule, "0").mistake == at + "0 is too small (at least 1)");
    CHECK(tried(rule, "-99999999999999999999").mistake ==
          at + "-99999999999999999999 is too small (at least 1)");
    CHECK(tried(rule, "101").mistake == at + "\"101\" is too large (at most 100)");
    CHECK(tried(rule, "99999999999999999999").mistake ==
          at + "\"99999999999999999999\" is too large (at most 100)");
    CHECK(tried(rule, "'8'").mistake ==
          at + "\"8\" is not a whole number; write it without quotes");
    for (const std::string_view wrong : {"1.5", "1e1", "0x10", "007", "+7", "many", "true", ".nan"})
        CHECK(tried(rule, wrong).mistake.find("is not a whole number") != std::string::npos);
}

TEST_CASE("numbers without unit") {
    CHECK(tried(positive_number(), "1.5").value == 1.5);
    CHECK(tried(positive_number(), "2e-3").value == 2e-3);
    for (const std::string_view wrong :
         {"0", "-1", "1e999", "1e13", ".nan", ".inf", "-.inf", "1 s", "'1'"})
        CHECK_FALSE(tried(positive_number(), wrong).mistake.empty());
    CHECK(tried(thousandths(1, 10), "1.3").value == 1300);
    CHECK(tried(thousandths(1, 10), "1.2345").mistake ==
          at + "\"1.2345\" has too many decimals (at most 3)");
    CHECK_FALSE(tried(thousandths(1, 10), "0.999").mistake.empty());
    CHECK_FALSE(tried(thousandths(1, 10), "10.001").mistake.empty());
}

TEST_CASE("count ranges") {
    const auto range = [](std::string_view yaml) { return tried(count_range(), yaml).value; };
    CHECK(range("8")->contains(8));
    CHECK_FALSE(range("8")->contains(9));
    CHECK(range("1..32")->contains(32));
    CHECK_FALSE(range("1..32")->contains(33));
    CHECK(range("8..")->contains(1'000'000));
    CHECK_FALSE(range("..4")->contains(5));
    CHECK(tried(count_range(), "32..1").mistake ==
          at + "\"32..1\" is an empty range (the lower end is above the upper)");
    for (const std::string_view wrong :
         {"..", "a..b", "-1..3", "1...3", "1.5..2", "1..2..3", "[1]"})
        CHECK(tried(count_range(), wrong).mistake.find("expected a count") != std::string::npos);
}

TEST_CASE("texts are taken as written, names and dates have their form") {
    CHECK(tried(text(), "6214e9").value == "6214e9");
    CHECK_FALSE(tried(text(), "''").mistake.empty());
    CHECK(tried(file(), "jobs.csv").value == "dir/jobs.csv");
    CHECK(tried(identifier(), "aws-spot").value == "aws-spot");
    CHECK(tried(identifier(), "Spot_1").mistake ==
          at +
              "\"Spot_1\" is not a name of the letters a-z, digits and '-' (such as \"aws-spot\")");
    CHECK(tried(identifier(), "42").mistake.ends_with("put it in quotes"));
    CHECK(tried(identifier(), "'42'").value == "42");
    CHECK(tried(instant(), "2017-10-09 12:00:00").value == "2017-10-09 12:00:00");
    CHECK_FALSE(tried(instant(), "9.10.2017").mistake.empty());
    CHECK(tried(instant(), "2017-10-09T12:00:00+08:00").value.has_value());
    CHECK_FALSE(tried(identifier(), std::string(60'000, 'a')).mistake.empty());
    CHECK(tried(one_of({"fifo", "sjf"}), "fifi").mistake ==
          at + "unknown name \"fifi\"; did you mean \"fifo\"?");
}

} // namespace bursar::rules_test
