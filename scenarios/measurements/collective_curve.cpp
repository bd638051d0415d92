#include "scenarios/measurements/collective_curve.hpp"

#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/csv_columns.hpp"

namespace bursar {
namespace {

double number_of(const TextRow& row, std::size_t field, const char* column, const CsvReader& in) {
    const auto fail = [&](const std::string& problem) {
        const FieldPlace at = row.place(field);
        fail_input({in.file(), at.line, at.column}, column, mistake(problem));
    };
    if (!row.problem.empty())
        fail(std::string{row.problem});
    if (field >= row.fields.size())
        fail("missing: the row ends before it");
    const std::string_view text = row.fields[field];
    double number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size())
        fail(fmt::format("{} is not a number", in_quotes(text)));
    return number;
}

} // namespace

MeasuredCurve read_collective_curve(const std::string& path) {
    constexpr double us = 1e-6;
    const auto bytes = open_bytes(path);
    CsvReader reader{*bytes, path};
    const CsvHeader header{reader};
    const std::size_t size = header.require({"bytes"});
    const std::size_t time = header.require({"time_us"});
    std::vector<MeasuredPoint> points;
    while (const TextRow* row = reader.next())
        points.push_back({ByteVolume{number_of(*row, size, "bytes", reader)},
                          Seconds{number_of(*row, time, "time_us", reader) * us}});
    try {
        return MeasuredCurve{std::move(points)};
    } catch (const ModelError& error) {
        fail_input(path, mistake(error.problem(), {}, error.remedy()));
    }
}

} // namespace bursar
