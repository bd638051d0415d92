#pragma once

#include <string_view>

#include "scenarios/market/prices/price_format.hpp"

namespace bursar { inline namespace scenarios {

/// The list of ec2instances.info: a day's prices on demand and reserved by type, region and
/// operating system; prices are strings, "N/A" what is not sold.
void read_ec2instances(ByteSource& bytes, PriceBuilder& prices);
bool is_ec2instances(std::string_view beginning);

}} // namespace bursar::scenarios
