#include "scenarios/catalog/survival_curve.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "models/errors/model_error.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/csv_columns.hpp"

namespace bursar {
namespace {

constexpr std::size_t max_points = 1'000'000;

/// A column of the file: its name for messages, and its field.
struct Column {
    std::string name;
    std::size_t field{};
};

double number_at(const TextRow& row, const Column& column, const std::string& file) {
    const FieldPlace at = row.place(std::min(column.field, row.fields.size()));
    const Place place{file, at.line, at.column};
    if (column.field >= row.fields.size())
        fail_input(place, column.name, mistake("missing"));
    const std::string_view text = row.fields[column.field];
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stopped != end)
        fail_input(place, column.name, mistake(in_quotes(text) + " is not a number"));
    return value;
}

std::vector<SurvivalPoint> read_points(const std::string& path) {
    const auto bytes = open_bytes(path);
    CsvReader reader{*bytes, path};
    const CsvHeader header{reader};
    const Column age{"time_s", header.require({"time_s"})};
    const Column share{"surviving_share", header.require({"surviving_share"})};
    std::vector<SurvivalPoint> points;
    while (const TextRow* row = reader.next()) {
        if (!row->problem.empty())
            fail_input({path, row->problem_place.line, row->problem_place.column},
                       {},
                       mistake(std::string{row->problem}));
        points.push_back({Seconds{number_at(*row, age, path)}, number_at(*row, share, path)});
        if (points.size() > max_points)
            fail_input({path, row->line}, {}, mistake("the curve has too many rows", "1000000"));
    }
    return points;
}

} // namespace

SurvivalFunction read_survival_curve(const std::string& path) {
    std::vector<SurvivalPoint> points = read_points(path);
    try {
        return SurvivalFunction{std::move(points)};
    } catch (const ModelError& error) {
        fail_input({path, 0, 0}, error.parameter(), mistake(error.problem(), {}, error.remedy()));
    }
}

} // namespace bursar
