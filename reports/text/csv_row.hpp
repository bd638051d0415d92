#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>

#include "models/units/int128.hpp"

#include "reports/text/escape.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// Writes rows of CSV field by field, with commas between them.
class CsvRow {
  public:
    explicit CsvRow(TextSink& sink) : sink_{sink} {}

    CsvRow& text(std::string_view text) {
        put_csv_field(next(), text);
        return *this;
    }
    /// One or several fields that need no quotes, or have them.
    CsvRow& plain(std::string_view fields) {
        next().put(fields);
        return *this;
    }
    template <std::integral Integer>
    CsvRow& integer(Integer value) {
        next().put_integer(value);
        return *this;
    }
    /// value / 10^6, always with a point, so that all of a column are of one type; empty where it
    /// is not known.
    CsvRow& micro(std::optional<int128> value) {
        TextSink& sink = next();
        if (!value)
            return *this;
        sink.put_micro(*value);
        if (*value % 1'000'000 == 0)
            sink.put(".0");
        return *this;
    }
    /// Empty where it is not known.
    CsvRow& number(std::optional<double> value) {
        TextSink& sink = next();
        if (value)
            sink.put_number(*value);
        return *this;
    }
    /// Fields of which nothing is known.
    CsvRow& empty(std::size_t count = 1) {
        for (; count > 0; --count)
            next();
        return *this;
    }
    void end() {
        sink_.put('\n');
        is_first_ = true;
    }
    /// Begins a field, which is written to the sink.
    TextSink& next() {
        if (!is_first_)
            sink_.put(',');
        is_first_ = false;
        return sink_;
    }

  private:
    TextSink& sink_;
    bool is_first_{true};
};

}} // namespace bursar::reports
