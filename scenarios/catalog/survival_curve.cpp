#include "scenarios/catalog/survival_curve.hpp"

#include <string_view>
#include <vector>

#include "models/errors/model_error.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/csv_header.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t max_points = 1'000'000;

std::vector<SurvivalPoint> read_points(const std::string& path) {
    const auto bytes = open_bytes(path);
    CsvReader reader{*bytes, path};
    const CsvHeader header{reader};
    constexpr std::string_view age_name = "time_s";
    constexpr std::string_view share_name = "surviving_share";
    const std::size_t age = header.require(age_name);
    const std::size_t share = header.require(share_name);
    std::vector<SurvivalPoint> points;
    while (const TextRow* row = reader.next()) {
        points.push_back({Seconds{number_in(*row, age, age_name, reader)},
                          number_in(*row, share, share_name, reader)});
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

}} // namespace bursar::scenarios
