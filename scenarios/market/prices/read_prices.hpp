#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "models/market/fit_prices.hpp"

#include "scenarios/market/prices/price_file.hpp"
#include "scenarios/market/prices/price_history.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

/// Every price of the file `path`, plain, gzip or zstd. format: a name of the registry; empty:
/// recognised by the content. currency: the code of its prices' currency, which they keep; the sign
/// of another currency is a mistake. Throws ScenarioError with every mistake in it.
PriceFile read_prices(const std::string& path,
                      const std::string& format = {},
                      const std::string& currency = "USD");

/// The same for bytes; messages name `path`.
PriceFile read_prices(ByteSource& stored,
                      const std::string& path,
                      const std::string& format = {},
                      const std::string& currency = "USD");

/// The price files of one command: each is read once and fitted once, for all pools and variants.
/// Not thread-safe.
class PriceFiles {
  public:
    /// As read_prices(). Throws ScenarioError, again on every call.
    std::shared_ptr<const PriceFile>
    read(const std::string& path, const std::string& format, const std::string& currency = "USD");

    /// The generators fitted to the prices of one offer; a node is up at or below the mean price.
    /// Null if the prices never change.
    std::shared_ptr<const PriceFit> fit(const PriceHistory& history);

  private:
    std::map<std::array<std::string, 3>, std::shared_ptr<const PriceFile>> files_;
    std::map<std::uint64_t, std::shared_ptr<const PriceFit>> fits_; ///< by a hash of the steps
};

}} // namespace bursar::scenarios
