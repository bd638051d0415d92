#pragma once

#include <memory>
#include <string>

#include "scenarios/market/prices/price_file.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar::inline scenarios {

/// Every price of the file `path`, plain, gzip or zstd. format: a name of the registry; empty:
/// recognised by the content. Throws ScenarioError with every mistake in it.
PriceFile read_prices(const std::string& path, const std::string& format = {});

/// The same of bytes that messages call `path`.
PriceFile read_prices(ByteSource& stored, const std::string& path, const std::string& format = {});

} // namespace bursar::inline scenarios
