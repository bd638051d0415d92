#include "models/network/group_shape.hpp"

#include <algorithm>
#include <string>

#include "models/errors/model_error.hpp"

namespace bursar { inline namespace models {
namespace {

std::int64_t divided_up(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

void check(CommGroup group, const LocalityTree& tree) {
    if (group.size < 1)
        throw ModelError{"group", "has " + std::to_string(group.size) + " ranks", "give 1 or more"};
    if (group.stride < 1)
        throw ModelError{
            "group", "has a stride of " + std::to_string(group.stride) + " GPUs", "give 1 or more"};
    if (tree.levels.empty() || tree.levels.size() > GroupShape::max_levels)
        throw ModelError{"network",
                         "has " + std::to_string(tree.levels.size()) + " levels",
                         "give 1 to " + std::to_string(GroupShape::max_levels)};
    const std::int64_t reach = (group.size - 1) * group.stride + 1;
    if (reach > tree.levels.back().gpus)
        throw ModelError{"group",
                         "reaches over " + std::to_string(reach) + " GPUs of a network of " +
                             std::to_string(tree.levels.back().gpus),
                         "make the group smaller or the network larger"};
}

} // namespace

GroupShape group_shape(CommGroup group, const LocalityTree& tree) {
    check(group, tree);
    GroupShape shape;
    shape.ranks = group.size;
    std::int64_t below = 1; // ranks in a full domain of the level below
    for (const LinkLevel& level : tree.levels) {
        const std::int64_t full =
            std::clamp(divided_up(level.gpus, group.stride), below, group.size);
        if (full == below)
            continue;
        const std::int64_t remainder = group.size % below;
        const double domains_below = static_cast<double>(divided_up(group.size, below));
        const double domains = static_cast<double>(divided_up(group.size, full));
        shape.crossings[shape.size++] = {.level = &level,
                                         .inside = remainder == 0 ? below : remainder,
                                         .parts = divided_up(full, below),
                                         .in_node = &level == &tree.levels.front(),
                                         .hops = domains_below - domains};
        below = full;
    }
    return shape;
}

}} // namespace bursar::models
