
#include <algorithm>
#include <functional>
#include <numeric>

#include "models/errors/model_error.hpp"
#include "models/topology/regular_fabric.hpp"

namespace bursar { inline namespace models {
namespace {

using Coordinates = std::vector<std::int64_t>;

std::string side_text(const Coordinates& sides, char between) {
    std::string text;
    for (const std::int64_t side : sides)
        text += (text.empty() ? "" : std::string{between}) + std::to_string(side);
    return text;
}

/// Sides as the graph numbers them: the longest first, so that the first half of the nodes is half
/// of the torus along its longest side.
struct Sides {
    Coordinates torus;
    Coordinates tile;
};

Sides sorted_sides(const RegularFabric& spec) {
    std::vector<std::size_t> order(spec.torus.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, std::ranges::greater{}, [&](std::size_t side) { return spec.torus[side]; });
    Sides sides;
    for (const std::size_t side : order) {
        sides.torus.push_back(spec.torus[side]);
        sides.tile.push_back(spec.tile.empty() ? 1 : spec.tile[side]);
    }
    return sides;
}

/// The next coordinates inside `sides`, the last one fastest; false behind the last.
bool advance(Coordinates& at, const Coordinates& sides) {
    for (std::size_t side = sides.size(); side-- > 0;) {
        if (++at[side] < sides[side])
            return true;
        at[side] = 0;
    }
    return false;
}

std::size_t index_of(const Coordinates& at, const Coordinates& sides) {
    std::size_t index = 0;
    for (std::size_t side = 0; side < sides.size(); ++side)
        index = index * static_cast<std::size_t>(sides[side]) + static_cast<std::size_t>(at[side]);
    return index;
}

std::string bracketed(const char* word, const Coordinates& at) {
    return word + ("[" + side_text(at, ',') + "]");
}

/// Adds all nodes, tile by tile; their routers by index_of their coordinates.
std::vector<std::uint32_t>
add_nodes(FabricBuilder& fabric, const RegularFabric& spec, const Sides& sides) {
    Coordinates num_tiles = sides.torus;
    for (std::size_t side = 0; side < num_tiles.size(); ++side)
        num_tiles[side] /= sides.tile[side];
    std::vector<std::uint32_t> routers(static_cast<std::size_t>(spec.nodes));
    Coordinates tile(num_tiles.size(), 0);
    do {
        Coordinates inner(num_tiles.size(), 0);
        do {
            Coordinates node = tile;
            for (std::size_t side = 0; side < node.size(); ++side)
                node[side] = tile[side] * sides.tile[side] + inner[side];
            const std::string path =
                (spec.tile.empty() ? "" : bracketed("tile", tile) + "/") + bracketed("node", node);
            const std::vector<std::uint32_t> ports =
                add_node(fabric, fabric.enclosure(path), path, spec, std::nullopt);
            routers[index_of(node, sides.torus)] = ports.front();
        } while (advance(inner, sides.tile));
    } while (advance(tile, num_tiles));
    return routers;
}

} // namespace

void check_torus(const RegularFabric& spec) {
    if (!spec.tile.empty() && spec.torus.empty())
        throw ModelError{"tile", "has no torus to divide", {}};
    if (spec.torus.empty())
        return;
    double nodes = 1;
    for (const std::int64_t side : spec.torus) {
        if (side < 2)
            throw ModelError{"torus", "has a side of " + std::to_string(side), "give 2 or more"};
        nodes *= static_cast<double>(side);
    }
    if (nodes != static_cast<double>(spec.nodes))
        throw ModelError{"torus",
                         "of " + side_text(spec.torus, 'x') + " is not of " +
                             std::to_string(spec.nodes) + " nodes",
                         "the product of its sides is the number of nodes"};
    if (!spec.tiers.empty())
        throw ModelError{spec.tiers.front().name, "is not possible in a torus", "give tiles"};
    if (spec.rails != 1)
        throw ModelError{"rails", "are not possible in a torus", {}};
    if (spec.nvlink > spec.gpus_per_node)
        throw ModelError{"nvlink", "spans nodes of a torus", "give at most the GPUs of a node"};
    if (!spec.tile.empty() && spec.tile.size() != spec.torus.size())
        throw ModelError{"tile", "has not as many sides as the torus", {}};
    for (std::size_t side = 0; side < spec.tile.size(); ++side)
        if (spec.tile[side] < 1 || spec.torus[side] % spec.tile[side] != 0)
            throw ModelError{"tile",
                             "of " + side_text(spec.tile, 'x') + " does not divide a torus of " +
                                 side_text(spec.torus, 'x'),
                             {}};
}

Fabric make_torus(const RegularFabric& spec) {
    const Sides sides = sorted_sides(spec);
    FabricBuilder fabric{spec.name};
    const std::vector<std::uint32_t> routers = add_nodes(fabric, spec, sides);
    Coordinates at(sides.torus.size(), 0);
    do {
        for (std::size_t side = 0; side < at.size(); ++side) {
            if (sides.torus[side] == 2 && at[side] == 1)
                continue;
            Coordinates next = at;
            next[side] = (at[side] + 1) % sides.torus[side];
            fabric.link(routers[index_of(at, sides.torus)],
                        routers[index_of(next, sides.torus)],
                        spec.node_link,
                        switch_latency);
        }
    } while (advance(at, sides.torus));
    return fabric.take();
}

}} // namespace bursar::models
