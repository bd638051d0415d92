#include "reports/focus/focus_line.hpp"

#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

namespace bursar::inline reports {

FocusLine& FocusLine::text(FocusColumn column, std::string_view text) {
    fields_[column.place] = {csv_field(text), std::nullopt};
    return *this;
}

FocusLine& FocusLine::figure(FocusColumn column, FocusFigure figure) {
    fields_[column.place] = {"", figure};
    return *this;
}

void FocusWriter::put_header() {
    for (std::size_t column = 0; column < focus_columns.size(); ++column) {
        if (!has(column))
            continue;
        if (column > 0)
            sink_.put(',');
        sink_.put(focus_columns[column]);
    }
    sink_.put('\n');
}

void FocusWriter::put(const FocusLine& line, const FocusFigures& figures) {
    for (std::size_t column = 0; column < focus_columns.size(); ++column) {
        if (!has(column))
            continue;
        if (column > 0)
            sink_.put(',');
        const FocusLine::Field& field = line.fields_[column];
        if (field.figure)
            put(*field.figure, figures);
        else
            sink_.put(field.text);
    }
    sink_.put('\n');
}

void FocusWriter::put(FocusFigure figure, const FocusFigures& figures) {
    switch (figure) {
    case FocusFigure::from:
        return instants_.put(sink_, Duration{figures.from_ms});
    case FocusFigure::to:
        return instants_.put(sink_, Duration{figures.to_ms});
    case FocusFigure::month:
        return put_month(figures.from_ms, std::chrono::months{0});
    case FocusFigure::month_end:
        return put_month(figures.from_ms, std::chrono::months{1});
    case FocusFigure::quantity:
        return sink_.put_micro(figures.quantity);
    case FocusFigure::price:
        return sink_.put(decimal_text(figures.price, 9));
    case FocusFigure::cost:
        return sink_.put(decimal_text(figures.cost, 15));
    }
}

void FocusWriter::put_month(std::int64_t utc_ms, std::chrono::months later) {
    using namespace std::chrono;
    const year_month_day date{floor<days>(sys_time<milliseconds>{milliseconds{utc_ms}})};
    const sys_days first{(date.year() / date.month() + later) / 1};
    months_.put(sink_, Duration{milliseconds{first.time_since_epoch()}.count()});
}

} // namespace bursar::inline reports
