#include "reports/summary/exact_json.hpp"

#include <array>
#include <cstddef>
#include <string_view>

#include "reports/bill/printed_bill.hpp"

namespace bursar { inline namespace reports {
namespace {

template <class Quantity>
void numerator(std::string_view key, Quantity value, JsonWriter& json) {
    json.key(key);
    json.exact(value.count());
}
template <class Quantity>
void numerators(const std::array<Quantity, num_leaves>& values, JsonWriter& json) {
    json.key("by_leaf");
    json.begin_object();
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
        numerator(leaf_names[leaf], values[leaf], json);
    json.end_object();
}

} // namespace

void write_exact(const Result& result, const LeafSums& sums, JsonWriter& json) {
    json.key("exact");
    json.begin_object();
    json.key("cost");
    json.begin_object();
    json.string("unit", "1/3600000000000000000 USD");
    numerator("paid", sums.paid_cost(), json);
    numerator("other", other_cost(result), json);
    numerator("total", sums.paid_cost() + other_cost(result), json);
    numerators(sums.cost, json);
    json.end_object();
    json.key("gpu_hours");
    json.begin_object();
    json.string("unit", "1/3600000000 GPU-hour");
    numerator("paid", sums.paid(), json);
    numerators(sums.held, json);
    json.end_object();
    json.end_object();
}

}} // namespace bursar::reports
