#pragma once

#include "models/network/locality_tree.hpp"

namespace bursar::test {

/// A level without latency or loss, so that expected times can be worked by hand.
inline LinkLevel ideal_level(std::int64_t gpus, double bytes_per_second) {
    LinkLevel level;
    level.name = "ideal";
    level.gpus = gpus;
    level.bandwidth = ByteRate{bytes_per_second};
    return level;
}

/// Eight GPUs a node at 300 GB/s, 25 GB/s of NICs for each; 1 us and 10 us a hop.
inline LocalityTree make_two_levels() {
    LinkLevel node = ideal_level(8, 300e9);
    node.name = "node";
    node.latency = Seconds{1e-6};
    LinkLevel fabric = ideal_level(1 << 20, 25e9);
    fabric.name = "fabric";
    fabric.latency = Seconds{10e-6};
    return {{node, fabric}};
}

/// make_two_levels() for read-only use.
inline const LocalityTree& two_levels() {
    static const LocalityTree tree = make_two_levels();
    return tree;
}

/// The same with racks of four nodes that share half of their NICs' rate to the outside.
inline LocalityTree make_three_levels() {
    LocalityTree tree = make_two_levels();
    LinkLevel rack = tree.levels[1];
    rack.name = "rack";
    rack.gpus = 32;
    tree.levels.insert(tree.levels.begin() + 1, rack);
    tree.levels[2].bandwidth = ByteRate{12.5e9};
    return tree;
}

} // namespace bursar::test
