#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "reports/text/display_width.hpp"
#include "reports/validation/validation_report.hpp"

using namespace bursar;

namespace {

ValidatedRow row_of(std::string gpu, Tuning tuning, double predicted) {
    ValidatedRow row;
    row.id = "row-" + gpu;
    row.file = "steps_of_a_laboratory_with_a_long_name.csv";
    row.framework = "a framework of many words, at revision 0123456789abcdef0123456789abcdef";
    row.gpu = std::move(gpu);
    row.quantity = "tokens_per_s_per_gpu";
    row.profile = "constants refitted without any row of this source";
    row.tuning = tuning;
    row.measured = 100;
    row.predicted = predicted;
    return row;
}

Validation example() {
    Validation validation;
    validation.rows = {row_of("A100-SXM4-80GB", Tuning::unseen, 110),
                       row_of("H100-SXM5-80GB", Tuning::unseen, 70),
                       row_of("V100-SXM2-16GB", Tuning::tuned, 101)};
    ValidatedRow refused = row_of("TPU", Tuning::unseen, 0);
    refused.predicted.reset();
    refused.why = "gpu: no GPU is named \"TPU\"; one of a list of names that does not end before "
                  "the line does, nor the next one";
    validation.rows.push_back(refused);
    refused.id = "row-TPU-2";
    validation.rows.push_back(refused);
    validation.groups = grouped(validation.rows);
    validation.notes = {std::string(60, 'n') + " " + std::string(60, 'm')};
    return validation;
}

std::vector<std::string> lines_of(const Validation& validation) {
    StringSink sink;
    write_validation_table(validation, sink);
    std::istringstream text{sink.text()};
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    return lines;
}

/// The words of a line, one blank between them.
std::string words_of(const std::string& line) {
    std::istringstream text{line};
    std::string words;
    for (std::string word; text >> word;)
        words += (words.empty() ? "" : " ") + word;
    return words;
}

/// Index of the first line from `from` on whose words end with `tail`; -1 if there is none.
int find_ending(const std::vector<std::string>& lines, std::string_view tail, int from = 0) {
    for (std::size_t i = static_cast<std::size_t>(from); i < lines.size(); ++i)
        if (words_of(lines[i]).ends_with(tail))
            return static_cast<int>(i);
    return -1;
}

} // namespace

SCENARIO("the table of a validation fits a terminal of 100 columns") {
    const std::vector<std::string> lines = lines_of(example());
    for (const std::string& line : lines) {
        CAPTURE(line);
        CHECK(display_width(line) <= 100);
    }
    CHECK(find_ending(lines, "n answered MAPE median p90 max bias") >= 0);
}

SCENARIO("the table of a validation begins with all frameworks and GPUs of a file together") {
    const std::vector<std::string> lines = lines_of(example());
    // 10 % too much and 30 % too little of two rows, of four: mean 20, 90th percentile 28, bias -10
    const int together = find_ending(lines, " 4 2 20.0 20.0 28.0 30.0 -10.0");
    const int tuned = find_ending(lines, " 1 1 1.0 1.0 1.0 1.0 +1.0");
    const int first = find_ending(lines, " 1 1 10.0 10.0 10.0 10.0 +10.0");
    CHECK(together >= 0);
    CHECK(tuned > together);
    CHECK(first > tuned);
    CHECK(lines[static_cast<std::size_t>(together)].starts_with("    tokens_per_s_per_gpu "));
}

SCENARIO("rows without an answer are listed under the reason they share") {
    const std::vector<std::string> lines = lines_of(example());
    const int title = find_ending(lines, "Not answered: 2");
    REQUIRE(title >= 0);
    CHECK(find_ending(lines, "row-TPU, row-TPU-2", title) > title);
}

SCENARIO("a method of a file is headed once in a table") {
    Validation validation = example();
    for (ValidatedRow& row : validation.rows)
        row.file = "a.csv";
    ValidatedRow other = validation.rows.front();
    other.profile = "another method";
    validation.rows.insert(validation.rows.begin() + 1, other);
    validation.groups = grouped(validation.rows);
    int others = 0;
    int refits = 0;
    for (const std::string& line : lines_of(validation)) {
        others += line.ends_with("a.csv: another method");
        refits += line.find("a.csv: constants refitted") != std::string::npos;
    }
    CHECK(others == 2); // one kind of tuning, in the summary and in detail
    CHECK(refits == 4); // two kinds
}

TEST_CASE("the scoreboard comes first, with the largest miss on top") {
    Validation validation = example();
    CHECK(lines_of(validation).front().find("SCOREBOARD") ==
          std::string::npos); // no step was timed
    const auto coverage = [](std::string file, std::size_t held, double error_sum) {
        Coverage one;
        one.of = std::move(file);
        one.is_file = one.is_aside = true;
        one.n = 10;
        one.held = one.held_left_out = held;
        one.error_sum = one.error_sum_left_out = error_sum;
        return one;
    };
    validation.coverage = {
        coverage("good.csv", 8, 0.5), coverage("bad.csv", 3, 2), coverage("worst.csv", 1, 4)};
    const std::vector<std::string> lines = lines_of(validation);
    CHECK(lines.front().starts_with("SCOREBOARD"));
    const int errors = find_ending(lines, "10 12 or less 40 40 MISSED");
    CHECK(errors > 0);
    CHECK(find_ending(lines, "10 12 or less 20 20 MISSED") == errors + 1);
    CHECK(find_ending(lines, "10 12 or less 5 5 met") == errors + 2);
    const int held = find_ending(lines, "10 70 to 90 10 10 MISSED", errors);
    CHECK(held > errors);
    CHECK(find_ending(lines, "10 70 to 90 80 80 met", held) == held + 2);
}

TEST_CASE("the scoreboard has memory by the shipped constants and without the row's source") {
    Validation validation = example();
    validation.coverage.resize(1);
    validation.coverage.front().n = 1;
    ValidatedRow row = row_of("H100", Tuning::tuned, 102);
    row.file = "m.csv";
    row.quantity = "mem_gb";
    validation.rows.push_back(row);
    row.predicted = 80;
    row.tuning = Tuning::unseen;
    row.is_refit = true;
    validation.rows.push_back(row);
    CHECK(find_ending(lines_of(validation), "m.csv, memory 1 12 or less 2 20 met") >= 0);
}

TEST_CASE("single figures stand beside what was published") {
    Validation validation = example();
    CHECK(find_ending(lines_of(validation), "Single figures: failures, checkpoints and energy") <
          0);
    ValidatedRow row = row_of("", Tuning::unseen, 110);
    row.figure = "a job: time between failures, h";
    validation.rows.push_back(row);
    CHECK(find_ending(lines_of(validation),
                      "a job: time between failures, h 100 110 +10.0 of other sources") >= 0);
}
