#pragma once

#include <memory>
#include <string>

#include "scenarios/market/prices/price_file.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

/// Every price of the file `path`, plain, gzip or zstd. format: a name of the registry; empty:
/// recognised by the content. currency: the code of what its numbers are in; prices stay in it, and
/// one with the sign of another is a mistake. Throws ScenarioError with every mistake in it.
PriceFile read_prices(const std::string& path,
                      const std::string& format = {},
                      const std::string& currency = "USD");

/// The same of bytes that messages call `path`.
PriceFile read_prices(ByteSource& stored,
                      const std::string& path,
                      const std::string& format = {},
                      const std::string& currency = "USD");

}} // namespace bursar::scenarios
