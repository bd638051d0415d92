#include "reports/summary/largest_drain_json.hpp"

#include "reports/summary/largest_drain.hpp"

namespace bursar { inline namespace reports {

void write_largest_drain(const Result& result, const PrintedBill& bill, JsonWriter& json) {
    const std::optional<LargestDrain> largest = largest_drain(result);
    json.key("largest_drain");
    if (!largest)
        return json.null();
    const auto leaf = static_cast<std::size_t>(largest->leaf);
    json.begin_object();
    json.string("leaf", name_of(largest->leaf));
    json.micro("cost", bill.leaf_usd[leaf]);
    json.micro("gpu_hours", bill.leaf_hours[leaf]);
    json.string("advice", advice_on(largest->leaf, result));
    json.end_object();
}

}} // namespace bursar::reports
