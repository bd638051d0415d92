#include "reports/repeats/statistics_json.hpp"

namespace bursar { inline namespace reports {

void write_statistics(const RepeatedScalar& scalar, JsonWriter& json) {
    const auto if_any = [&](double value) {
        return scalar.n > 0 ? std::optional{value} : std::nullopt;
    };
    json.integer("n", scalar.n);
    json.number_or_null("mean", if_any(scalar.mean));
    json.number_or_null("sd", scalar.sd);
    json.number_or_null("min", if_any(scalar.min));
    json.number_or_null("max", if_any(scalar.max));
    json.number_or_null("ci95_low", scalar.ci_low);
    json.number_or_null("ci95_high", scalar.ci_high);
}

}} // namespace bursar::reports
