#include "scenarios/compile/jobs/shape_table.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace bursar { inline namespace scenarios {
namespace {

/// The permitted pools as bits in name order: the pool whose name comes first is the highest bit.
/// Comparing such integers orders sets by pool name, present before absent.
std::uint64_t in_name_order(const Plan& plan, std::uint64_t permitted_pools) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < plan.pools_by_name.size(); ++i) {
        if ((permitted_pools >> plan.pools_by_name[i] & 1U) != 0) {
            bits |= std::uint64_t{1} << (max_pools - 1 - i);
        }
    }
    return bits;
}

} // namespace

std::optional<std::uint16_t> ShapeTable::number_of(const JobShape& shape) {
    if (last_number_ && last_ == shape)
        return last_number_; // runs of equal jobs are common
    if (numbers_.size() == 0x10000 && !numbers_.contains(shape))
        return std::nullopt;
    last_ = shape;
    last_number_ =
        numbers_.try_emplace(shape, static_cast<std::uint16_t>(numbers_.size())).first->second;
    return last_number_;
}

void ShapeTable::settle(Plan& plan) const {
    std::vector<std::pair<JobShape, std::uint16_t>> shapes;
    for (const auto& [shape, number] : numbers_)
        shapes.emplace_back(shape, number);
    const auto order = [&](const JobShape& shape) {
        return std::tuple{std::popcount(shape.permitted_pools),
                          ~in_name_order(plan, shape.permitted_pools),
                          shape.slots(),
                          shape};
    };
    std::sort(shapes.begin(), shapes.end(), [&](const auto& a, const auto& b) {
        return order(a.first) < order(b.first);
    });
    std::vector<std::uint16_t> new_number(shapes.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        plan.shapes.push_back(shapes[i].first);
        new_number[shapes[i].second] = static_cast<std::uint16_t>(i);
    }
    for (std::uint16_t& shape : plan.shape)
        shape = new_number[shape];
    for (PlanForm& form : plan.forms)
        form.shape = new_number[form.shape];
}

}} // namespace bursar::scenarios
