#include "scenarios/market/prices/registry.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/market/prices/price_builder.hpp"
#include "scenarios/traces/text/csv_header.hpp"

namespace bursar { inline namespace scenarios {
namespace {

// Columns of the formats that are tables with a header line.

/// The history of AWS spot prices as one table: the columns of describe-spot-price-history.
constexpr std::array aws_spot_columns{
    PriceColumn{PriceField::time, "timestamp", true},
    PriceColumn{PriceField::type, "instance_type", true},
    PriceColumn{PriceField::zone, "availability_zone", true},
    PriceColumn{PriceField::product, "product"},
    PriceColumn{PriceField::price, "spot_price_usd_per_hour", true, "spot"},
};

/// On demand, spot and commitments of Google Cloud from the history of a price file.
/// Commitments are quoted by the month.
constexpr std::array gcp_columns{
    PriceColumn{PriceField::time, "snapshot_utc", true},
    PriceColumn{PriceField::type, "machine_type", true},
    PriceColumn{PriceField::region, "region", true},
    PriceColumn{PriceField::price, "ondemand_usd_per_hour", true, "on_demand"},
    PriceColumn{PriceField::price, "spot_usd_per_hour", false, "spot"},
    PriceColumn{PriceField::price, "commit_1y_usd_per_month", false, "commit_1y", hours_a_month},
    PriceColumn{PriceField::price, "commit_3y_usd_per_month", false, "commit_3y", hours_a_month},
};

/// Prices on demand from the history of Karpenter's generated sources; AWS.
constexpr std::array karpenter_aws_columns{
    PriceColumn{PriceField::time, "generated_utc", true},
    PriceColumn{PriceField::region, "region", true},
    PriceColumn{PriceField::type, "instance_type", true},
    PriceColumn{PriceField::price, "ondemand_usd_per_hour", true, "on_demand"},
};

/// The same for Azure, where a type is a SKU.
constexpr std::array karpenter_azure_columns{
    PriceColumn{PriceField::time, "generated_utc", true},
    PriceColumn{PriceField::region, "region", true},
    PriceColumn{PriceField::type, "sku", true},
    PriceColumn{PriceField::price, "ondemand_usd_per_hour", true, "on_demand"},
};

/// SkyPilot's catalogue of a cloud: one day's list. The order of columns differs by cloud; an empty
/// price: not on offer.
constexpr std::array skypilot_columns{
    PriceColumn{PriceField::type, "InstanceType", true},
    PriceColumn{PriceField::gpus, "AcceleratorCount", true},
    PriceColumn{PriceField::region, "Region", true},
    PriceColumn{PriceField::zone, "AvailabilityZone"},
    PriceColumn{PriceField::price, "Price", true, "on_demand"},
    PriceColumn{PriceField::price, "SpotPrice", false, "spot"},
};

/// A user's own file: times and prices, of one offer or of several.
constexpr std::array plain_columns{
    PriceColumn{PriceField::time, "time", true},
    PriceColumn{PriceField::price, "price", true},
    PriceColumn{PriceField::type, "type"},
    PriceColumn{PriceField::region, "region"},
    PriceColumn{PriceField::zone, "zone"},
};

// The only list. A new format adds its columns or its file, and a row here.
constexpr std::array formats{
    PriceFormat{.name = "aws-spot-history",
                .summary = "JSON of aws ec2 describe-spot-price-history",
                .begins_like = is_aws_spot_history,
                .read = read_aws_spot_history},
    PriceFormat{.name = "ec2instances",
                .summary = "JSON of ec2instances.info: on demand and reserved, one day's list",
                .begins_like = is_ec2instances,
                .read = read_ec2instances},
    PriceFormat{.name = "azure-wide",
                .summary = "CSV of Azure spot prices: a row a day, a column a machine",
                .begins_like = is_azure_wide,
                .read = read_azure_wide},
    PriceFormat{.name = "aws-spot-csv",
                .summary = "the columns of describe-spot-price-history as CSV",
                .columns = aws_spot_columns},
    PriceFormat{.name = "gcp-price-changes",
                .summary = "CSV of Google Cloud: a row a change, on demand, spot and commitments",
                .columns = gcp_columns,
                .rows_are_changes = true},
    PriceFormat{.name = "karpenter-aws",
                .summary = "CSV of AWS on demand: a row a change",
                .columns = karpenter_aws_columns,
                .rows_are_changes = true},
    PriceFormat{.name = "karpenter-azure",
                .summary = "CSV of Azure on demand: a row a change",
                .columns = karpenter_azure_columns,
                .rows_are_changes = true},
    PriceFormat{.name = "skypilot-catalog",
                .summary = "CSV of SkyPilot: on demand and spot, one day's list",
                .columns = skypilot_columns},
    PriceFormat{.name = "csv",
                .summary = "columns time and price; type, region and zone where there are any",
                .columns = plain_columns,
                .thing = PricedThing::not_stated},
};

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const PriceFormat& format : formats)
        all.emplace_back(format.name);
    return all;
}

bool has_identifying_columns(const PriceFormat& format, const std::vector<std::string>& header) {
    return std::ranges::all_of(format.columns, [&](const PriceColumn& column) {
        return !column.identifies || std::ranges::find(header, column.name) != header.end();
    });
}

} // namespace

std::span<const PriceFormat> price_formats() {
    return formats;
}

const PriceFormat* find_price_format(std::string_view name) {
    const std::vector<std::string> known = names();
    const std::string* meant = meant_name(name, known);
    return meant == nullptr ? nullptr : &formats[static_cast<std::size_t>(meant - known.data())];
}

Finding not_a_price_format(std::string_view name) {
    return mistake(in_quotes(name) + " is not a format of prices", {}, suggestion(name, names()));
}

const PriceFormat& recognise_price_format(std::string_view beginning, const std::string& file) {
    for (const PriceFormat& format : formats)
        if (format.begins_like != nullptr && format.begins_like(beginning))
            return format;
    const std::string_view first_line = beginning.substr(0, beginning.find('\n'));
    const std::size_t first = first_line.find_first_not_of(" \t\r");
    const bool is_json =
        first != std::string_view::npos && (first_line[first] == '{' || first_line[first] == '[');
    if (!is_json) {
        const std::vector<std::string> header = first_row(first_line, file, ',');
        for (const PriceFormat& format : formats)
            if (format.begins_like == nullptr && has_identifying_columns(format, header))
                return format;
    }
    fail_input({file, 1, 0},
               "format",
               mistake(is_json ? "not recognised: neither a spot price history nor a list of "
                                 "instances"
                               : "not recognised by the header line " + in_quotes(first_line),
                       "formats: " + listed_names(names()),
                       "name one, or give the columns time and price"));
}

}} // namespace bursar::scenarios
