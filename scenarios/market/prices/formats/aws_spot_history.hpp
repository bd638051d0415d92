#pragma once

#include <string_view>

#include "scenarios/market/prices/price_format.hpp"

namespace bursar { inline namespace scenarios {

/// The answer of `aws ec2 describe-spot-price-history`: newest first, prices as strings, every
/// price for the whole machine; several zones and products in one file.
void read_aws_spot_history(ByteSource& bytes, PriceBuilder& prices);
bool is_aws_spot_history(std::string_view beginning);

}} // namespace bursar::scenarios
