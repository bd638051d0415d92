#include <algorithm>
#include <map>

#include "models/errors/model_error.hpp"
#include "models/network/measured_curve.hpp"

#include "scenarios/measurements/collective_measurement.hpp"
#include "scenarios/validation/file_validators.hpp"

namespace bursar { inline namespace scenarios {
namespace {

using Series = std::vector<std::pair<ValidatedRow, CollectiveMeasurement>>;

/// Fits a curve through every other size, and scores it on the sizes between.
void validate_curve(Series series, Validation& validation) {
    constexpr std::size_t min_sizes = 6;
    std::ranges::sort(series, {}, [](const auto& entry) { return entry.second.volume.count(); });
    const auto same_size = [](const auto& a, const auto& b) {
        return a.second.volume == b.second.volume;
    };
    series.erase(std::unique(series.begin(), series.end(), same_size), series.end());
    if (series.size() < min_sizes)
        return;
    std::vector<MeasuredPoint> points;
    for (std::size_t i = 0; i < series.size(); i += 2)
        points.push_back({series[i].second.volume, series[i].second.time()});
    const MeasuredCurve curve{points};
    for (std::size_t i = 1; i < series.size(); i += 2) {
        ValidatedRow row = series[i].first;
        row.profile = "measured curve, alternate sizes";
        row.tuning = Tuning::held_out;
        row.predicted = series[i].second.figure(curve.time(series[i].second.volume));
        validation.rows.push_back(std::move(row));
    }
}

std::string published_figure(const MeasurementFile& file, const MeasurementRow& row) {
    return file.text(row, "time_us").empty() ? "busbw_GBps" : "time_us";
}

} // namespace

void validate_collectives(const MeasurementFile& file,
                          const KnownWorld& world,
                          Validation& validation) {
    std::map<std::string, Series> all_series;
    for (const MeasurementRow& row : file.rows) {
        ValidatedRow blank = blank_row(file, row);
        blank.framework = file.text(row, "source");
        blank.quantity = published_figure(file, row);
        blank.profile = "link model";
        add_row(validation, blank, [&](ValidatedRow& result) {
            if (!row.problem.empty())
                throw ModelError{"row", row.problem, ""};
            const CollectiveMeasurement measured = collective_measurement(file, row, world.gpus);
            result.quantity = measured.quantity;
            result.measured = measured.measured;
            result.assumptions = measured.assumptions;
            result.tuning = names_source(measured.link_source, measured.source) ? Tuning::tuned
                                                                                : Tuning::unseen;
            all_series[measured.series].emplace_back(result, measured);
            result.predicted = measured.figure(measured.modelled_time());
        });
    }
    for (const auto& [name, series] : all_series)
        validate_curve(series, validation);
}

}} // namespace bursar::scenarios
