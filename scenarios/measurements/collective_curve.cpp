#include "scenarios/measurements/collective_curve.hpp"

#include <utility>
#include <vector>

#include "models/errors/model_error.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/csv_header.hpp"

namespace bursar { inline namespace scenarios {
MeasuredCurve read_collective_curve(const std::string& path) {
    constexpr double us = 1e-6;
    const auto bytes = open_bytes(path);
    CsvReader reader{*bytes, path};
    const CsvHeader header{reader};
    const std::size_t size = header.require("bytes");
    const std::size_t time = header.require("time_us");
    std::vector<MeasuredPoint> points;
    while (const TextRow* row = reader.next())
        points.push_back({ByteVolume{number_in(*row, size, "bytes", reader)},
                          Seconds{number_in(*row, time, "time_us", reader) * us}});
    try {
        return MeasuredCurve{std::move(points)};
    } catch (const ModelError& error) {
        fail_input(path, mistake(error.problem(), {}, error.remedy()));
    }
}

}} // namespace bursar::scenarios
