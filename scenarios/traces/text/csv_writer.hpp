#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

namespace bursar { inline namespace scenarios {

/// Writes RFC 4180 rows with LF line ends: fields in order, then end_row(). A field that holds the
/// delimiter, a quote or a line end is quoted, so any name is read back unchanged.
class CsvWriter {
  public:
    /// `out` must outlive the writer. It gets whole rows, each from end_row(): a destructor that
    /// writes could not report a full disk.
    explicit CsvWriter(std::ostream& out, char delimiter = ',')
        : out_{out}, delimiter_{delimiter} {}

    CsvWriter& text(std::string_view field);
    CsvWriter& number(std::int64_t value);
    /// Seconds with as many decimals as the milliseconds need: 66, 66.5, 0.001.
    CsvWriter& seconds(std::int64_t milliseconds);
    void end_row();

  private:
    void begin_field();

    std::ostream& out_;
    char delimiter_;
    std::string row_;
    bool inside_row_{};
};

/// `milliseconds` >= 0 as seconds with no needless decimals.
std::string format_seconds(std::int64_t milliseconds);

}} // namespace bursar::scenarios
