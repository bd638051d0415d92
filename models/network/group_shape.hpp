#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/network/locality_tree.hpp"

namespace bursar { inline namespace models {

/// How a group is spread over the levels of a tree, on which a collective's cost depends.
struct GroupShape {
    static constexpr std::size_t max_levels = 8;

    /// One level that the group's traffic crosses.
    struct Crossing {
        const LinkLevel* level{};
        std::int64_t inside{1}; ///< ranks that share one domain of the level below
        std::int64_t parts{1};  ///< such domains inside one domain of this level, >= 2
        bool in_node{};         ///< the innermost level of the tree
        double hops{};          ///< of a ring through all ranks, those that cross this level
    };

    std::int64_t ranks{1};
    std::size_t size{};                           ///< crossings in use; 0: a group of one
    std::array<Crossing, max_levels> crossings{}; ///< innermost first

    [[nodiscard]] const Crossing* begin() const { return crossings.data(); }
    [[nodiscard]] const Crossing* end() const { return crossings.data() + size; }
    [[nodiscard]] bool one_level() const { return size == 1; }
};

/// Groups are placed aligned to the domains; the last domain of a level may hold fewer ranks than
/// the others. It then has fewer links to the outside and decides `inside` for the level above.
///
/// Throws ModelError for a size or stride below 1, a tree without levels or with more than
/// `max_levels`, and a group that reaches beyond the outermost level.
///
/// The shape refers to the levels of `tree`, which must outlive it.
GroupShape group_shape(CommGroup group, const LocalityTree& tree);
GroupShape group_shape(CommGroup group, const LocalityTree&& tree) = delete;

}} // namespace bursar::models
