#include "reports/focus/focus_line.hpp"

#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {

FocusLine& FocusLine::text(FocusColumn column, std::string_view text) {
    fields_[column.place] = {csv_field(text), std::nullopt};
    return *this;
}

FocusLine& FocusLine::figure(FocusColumn column, FocusFigure figure) {
    fields_[column.place] = {"", figure};
    return *this;
}

FocusTemplate::FocusTemplate(const FocusLine& line, FocusVersion version) {
    for (std::size_t column = 0; column < focus_columns.size(); ++column) {
        if (!has_column(version, column))
            continue;
        if (column > 0)
            text_ += ',';
        const FocusLine::Field& field = line.fields_[column];
        if (field.figure)
            gaps_.push_back({text_.size(), *field.figure});
        text_ += field.text;
    }
    text_ += '\n';
    text_.shrink_to_fit();
    gaps_.shrink_to_fit();
}

void FocusWriter::put_header(FocusVersion version) {
    for (std::size_t column = 0; column < focus_columns.size(); ++column) {
        if (!has_column(version, column))
            continue;
        if (column > 0)
            sink_.put(',');
        sink_.put(focus_columns[column]);
    }
    sink_.put('\n');
}

void FocusWriter::put(const FocusTemplate& row, const FocusFigures& figures) {
    const std::string_view text{row.text_};
    std::size_t from = 0;
    for (const FocusTemplate::Gap& gap : row.gaps_) {
        sink_.put(text.substr(from, gap.at - from));
        put(gap.figure, figures);
        from = gap.at;
    }
    sink_.put(text.substr(from));
}

void FocusWriter::put(FocusFigure figure, const FocusFigures& figures) {
    switch (figure) {
    case FocusFigure::from:
        return instants_.put(sink_, Duration{figures.from_ms});
    case FocusFigure::to:
        return instants_.put(sink_, Duration{figures.to_ms});
    case FocusFigure::month:
        return months_.put(sink_, Duration{figures.month_ms});
    case FocusFigure::month_end:
        return next_months_.put(sink_, Duration{figures.month_end_ms});
    case FocusFigure::quantity:
        return sink_.put_micro(figures.quantity);
    case FocusFigure::price:
        return sink_.put(decimal_text(figures.price, 9));
    case FocusFigure::cost:
        return sink_.put(decimal_text(figures.cost, 15));
    }
}

}} // namespace bursar::reports
