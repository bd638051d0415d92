#include <optional>
#include <vector>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/market/prices/price_builder.hpp"
#include "scenarios/market/prices/price_format.hpp"
#include "scenarios/traces/text/csv_header.hpp"
#include "scenarios/traces/text/csv_reader.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// A column of the format with its field in this file.
struct Placed {
    const PriceColumn* column;
    std::size_t field;
};

std::vector<Placed> placed_columns(const PriceFormat& format, const CsvHeader& header) {
    std::vector<Placed> placed;
    for (const PriceColumn& column : format.columns) {
        if (column.identifies)
            placed.push_back({&column, header.require(column.name)});
        else if (const auto field = header.find(column.name))
            placed.push_back({&column, *field});
    }
    return placed;
}

/// The part of an offer that a column names; null where it names none.
std::string* part_of(PriceOffer& offer, PriceField field) {
    switch (field) {
    case PriceField::type:
        return &offer.type;
    case PriceField::region:
        return &offer.region;
    case PriceField::zone:
        return &offer.zone;
    case PriceField::product:
        return &offer.product;
    case PriceField::time:
    case PriceField::gpus:
    case PriceField::price:
        return nullptr;
    }
    return nullptr;
}

/// Sets a missing region from the zone, without its letter: "us-east-1" of "us-east-1b".
void name_region(PriceOffer& offer) {
    if (offer.region.empty() && !offer.zone.empty())
        offer.region = offer.zone.substr(0, offer.zone.size() - 1);
}

void add_row(const std::vector<Placed>& columns, const TextRow& row, PriceBuilder& prices) {
    PriceOffer offer;
    std::optional<std::int64_t> at_ms{0}; // a list without times
    const Placed* gpus = nullptr;
    for (const Placed& placed : columns) {
        const std::string_view text = row.fields[placed.field];
        if (std::string* part = part_of(offer, placed.column->field))
            *part = text;
        else if (placed.column->field == PriceField::time)
            at_ms = prices.instant(text, placed.column->name, row.place(placed.field));
        else if (placed.column->field == PriceField::gpus)
            gpus = &placed;
    }
    if (!at_ms)
        return;
    name_region(offer);
    for (const Placed& placed : columns) {
        if (placed.column->field != PriceField::price)
            continue;
        offer.purchase = placed.column->purchase;
        prices.add(offer,
                   *at_ms,
                   row.fields[placed.field],
                   placed.column->hours,
                   placed.column->name,
                   row.place(placed.field));
        if (gpus != nullptr)
            prices.set_gpus(offer, row.fields[gpus->field], row.place(gpus->field));
    }
}

} // namespace

std::string identifying_columns(const PriceFormat& format) {
    std::string names;
    for (const PriceColumn& column : format.columns)
        if (column.identifies)
            names += (names.empty() ? "" : ",") + std::string{column.name};
    return names;
}

void read_price_table(const PriceFormat& format, ByteSource& bytes, PriceBuilder& prices) {
    CsvReader reader{bytes, prices.file()};
    const CsvHeader header{reader};
    const std::vector<Placed> columns = placed_columns(format, header);
    while (const TextRow* row = reader.next()) {
        if (!row->problem.empty())
            prices.add_mistake(row->problem_place, {}, mistake(std::string{row->problem}));
        else if (row->fields.size() != header.names().size())
            prices.add_mistake(row->place(row->fields.size()),
                               {},
                               mistake("the row has another number of fields than the header",
                                       "its fields do not match the columns"));
        else
            add_row(columns, *row, prices);
    }
}

}} // namespace bursar::scenarios
