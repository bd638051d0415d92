#pragma once

#include <array>

#include "scenarios/market/prices/price_builder.hpp"
#include "scenarios/market/prices/price_format.hpp"

/// Formats that are tables with a header line, read by the names of their columns.
namespace bursar { inline namespace scenarios { namespace price_tables {

/// The history of AWS spot prices as one table: the columns of describe-spot-price-history.
inline constexpr std::array aws_spot_columns{
    PriceColumn{PriceField::time, "timestamp", true},
    PriceColumn{PriceField::type, "instance_type", true},
    PriceColumn{PriceField::zone, "availability_zone", true},
    PriceColumn{PriceField::product, "product"},
    PriceColumn{PriceField::price, "spot_price_usd_per_hour", true, "spot"},
};

/// On demand, spot and commitments of Google Cloud from the history of a price file.
/// Commitments are quoted by the month.
inline constexpr std::array gcp_columns{
    PriceColumn{PriceField::time, "snapshot_utc", true},
    PriceColumn{PriceField::type, "machine_type", true},
    PriceColumn{PriceField::region, "region", true},
    PriceColumn{PriceField::price, "ondemand_usd_per_hour", true, "on_demand"},
    PriceColumn{PriceField::price, "spot_usd_per_hour", false, "spot"},
    PriceColumn{PriceField::price, "commit_1y_usd_per_month", false, "commit_1y", hours_a_month},
    PriceColumn{PriceField::price, "commit_3y_usd_per_month", false, "commit_3y", hours_a_month},
};

/// Prices on demand from the history of Karpenter's generated sources; AWS.
inline constexpr std::array karpenter_aws_columns{
    PriceColumn{PriceField::time, "generated_utc", true},
    PriceColumn{PriceField::region, "region", true},
    PriceColumn{PriceField::type, "instance_type", true},
    PriceColumn{PriceField::price, "ondemand_usd_per_hour", true, "on_demand"},
};

/// The same of Azure, where a type is a SKU.
inline constexpr std::array karpenter_azure_columns{
    PriceColumn{PriceField::time, "generated_utc", true},
    PriceColumn{PriceField::region, "region", true},
    PriceColumn{PriceField::type, "sku", true},
    PriceColumn{PriceField::price, "ondemand_usd_per_hour", true, "on_demand"},
};

/// SkyPilot's catalogue of a cloud: one day's list. The order of columns differs by cloud; an empty
/// price is what is not on offer.
inline constexpr std::array skypilot_columns{
    PriceColumn{PriceField::type, "InstanceType", true},
    PriceColumn{PriceField::gpus, "AcceleratorCount", true},
    PriceColumn{PriceField::region, "Region", true},
    PriceColumn{PriceField::zone, "AvailabilityZone"},
    PriceColumn{PriceField::price, "Price", true, "on_demand"},
    PriceColumn{PriceField::price, "SpotPrice", false, "spot"},
};

/// Anybody's own: times and prices, of one thing or of several.
inline constexpr std::array plain_columns{
    PriceColumn{PriceField::time, "time", true},
    PriceColumn{PriceField::price, "price", true},
    PriceColumn{PriceField::type, "type"},
    PriceColumn{PriceField::region, "region"},
    PriceColumn{PriceField::zone, "zone"},
};

}}} // namespace bursar::scenarios::price_tables
