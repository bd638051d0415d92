#include <string>
#include <vector>

#include "scenarios/market/prices/price_builder.hpp"
#include "scenarios/market/prices/price_format.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/json_values.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// [] / pricing / REGION / PRODUCT / ondemand, and .../ reserved / TERM.
class Machines final : public JsonValues {
  public:
    explicit Machines(PriceBuilder& prices) : prices_{prices} {}

    void
    value(std::span<const std::string> path, std::string_view text, FieldPlace place) override {
        if (path.size() == 2 && path[1] == "instance_type")
            type_ = text;
        else if (path.size() == 2 && path[1] == "GPU")
            gpus_ = {{}, std::string{text}, place};
        else if (path.size() == 5 && path[1] == "pricing" && path[4] == "ondemand")
            prices_of_it_.push_back(
                {{{}, path[2], {}, path[3], "on_demand"}, std::string{text}, place});
        else if (path.size() == 6 && path[1] == "pricing" && path[4] == "reserved")
            prices_of_it_.push_back(
                {{{}, path[2], {}, path[3], path[5]}, std::string{text}, place});
    }

    void end_of_object(std::span<const std::string> path) override {
        if (path.size() != 1)
            return;
        for (Priced& priced : prices_of_it_) {
            priced.offer.type = type_; // the type may follow the prices
            prices_.add(priced.offer, 0, priced.text, 1, priced.offer.purchase, priced.place);
            prices_.set_gpus(priced.offer, gpus_.text, gpus_.place);
        }
        type_.clear();
        gpus_ = {};
        prices_of_it_.clear();
    }

  private:
    struct Priced {
        PriceOffer offer;
        std::string text;
        FieldPlace place;
    };
    PriceBuilder& prices_;
    std::string type_;
    Priced gpus_;
    std::vector<Priced> prices_of_it_;
};

} // namespace

bool is_ec2instances(std::string_view beginning) {
    return beginning.find_first_not_of(" \t\r\n") != std::string_view::npos &&
           beginning[beginning.find_first_not_of(" \t\r\n")] == '[' &&
           beginning.find("\"instance_type\"") != std::string_view::npos;
}

void read_ec2instances(ByteSource& bytes, PriceBuilder& prices) {
    Machines machines{prices};
    read_json_values(whole_text(bytes, prices.file()), prices.file(), machines);
}

}} // namespace bursar::scenarios
