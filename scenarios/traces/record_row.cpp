#include "scenarios/traces/record_row.hpp"

#include <algorithm>

#include "scenarios/traces/text/csv_writer.hpp"

namespace bursar { inline namespace scenarios {

void RecordRow::set_seconds(RecordField field, std::int64_t ms, FieldPlace place) {
    set(field, format_seconds(ms), place);
}

TextRow RecordRow::row(std::uint64_t line) {
    std::ranges::copy(texts_, fields_.begin());
    return {fields_, line, nullptr, places_, {}, {}};
}

}} // namespace bursar::scenarios
