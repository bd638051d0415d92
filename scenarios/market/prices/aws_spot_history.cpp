#include <string>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/market/prices/price_builder.hpp"
#include "scenarios/market/prices/price_format.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/json_values.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The record that is being read.
class Records final : public JsonValues {
  public:
    explicit Records(PriceBuilder& prices) : prices_{prices} {}

    void
    value(std::span<const std::string> path, std::string_view text, FieldPlace place) override {
        if (path.empty())
            return; // a value alone
        const std::string& key = path.back();
        if (key == "AvailabilityZone")
            offer_.zone = text;
        else if (key == "InstanceType")
            offer_.type = text;
        else if (key == "ProductDescription")
            offer_.product = text;
        else if (key == "SpotPrice")
            price_ = {std::string{text}, place};
        else if (key == "Timestamp")
            time_ = {std::string{text}, place};
    }

    void end_of_object(std::span<const std::string> path) override {
        if (path.empty() || path.back() != "[]")
            return;
        if (price_.place.line == 0) {
            prices_.add_mistake(time_.place, "SpotPrice", mistake("missing"));
        } else if (time_.place.line == 0) {
            prices_.add_mistake(price_.place, "Timestamp", mistake("missing"));
        } else if (const auto at = prices_.instant(time_.text, "Timestamp", time_.place)) {
            offer_.region = offer_.zone.substr(0, offer_.zone.size() - !offer_.zone.empty());
            offer_.purchase = "spot";
            prices_.add(offer_, *at, price_.text, 1, "SpotPrice", price_.place);
        }
        offer_ = {};
        price_ = {};
        time_ = {};
    }

  private:
    struct Text {
        std::string text;
        FieldPlace place; ///< line 0: not read yet
    };
    PriceBuilder& prices_;
    PriceOffer offer_;
    Text price_;
    Text time_;
};

} // namespace

bool is_aws_spot_history(std::string_view beginning) {
    return beginning.find("\"SpotPrice\"") != std::string_view::npos ||
           beginning.find("\"SpotPriceHistory\"") != std::string_view::npos;
}

void read_aws_spot_history(ByteSource& bytes, PriceBuilder& prices) {
    Records records{prices};
    read_json_values(whole_text(bytes, prices.file()), prices.file(), records);
}

}} // namespace bursar::scenarios
