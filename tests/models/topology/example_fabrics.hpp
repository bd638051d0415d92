#pragma once

#include <string>
#include <vector>

#include "models/topology/regular_fabric.hpp"

namespace bursar::test {

inline constexpr ByteRate gb_s{1e9};

/// The fabrics of these tests, small enough to work out by hand.
inline RegularFabric rail_optimised() {
    return {
        "rails", 8, 8, 8, gb_s * 450.0, gb_s * 50.0, 8, gb_s * 400.0, {{"rack", 4, {}, 1}}, {}, {}};
}
inline RegularFabric tapered_tree() { // 100 Gbit/s a node, 2:1 above racks, 4:1 above pods
    return {"tree",
            16,
            8,
            8,
            gb_s * 150.0,
            gb_s * 12.0,
            1,
            gb_s * 12.5,
            {{"rack", 4, gb_s * 25.0, 1}, {"pod", 8, {}, 2}},
            {},
            {}};
}
inline RegularFabric pcie_only() {
    return {"pcie", 4, 8, 0, {}, gb_s * 12.0, 1, gb_s * 12.5, {{"rack", 2, {}, 2}}, {}, {}};
}
inline RegularFabric nvl72() {
    return {"nvl72",
            36,
            4,
            72,
            gb_s * 900.0,
            gb_s * 50.0,
            4,
            gb_s * 200.0,
            {{"rack", 18, {}, 1}},
            {},
            {}};
}
inline RegularFabric torus_3d() {
    return {"torus", 64, 1, 0, {}, gb_s * 25.0, 1, gb_s * 50.0, {}, {4, 4, 4}, {2, 2, 4}};
}
inline RegularFabric bridged_pairs() {
    return {"bridges", 4, 8, 2, gb_s * 300.0, gb_s * 25.0, 1, gb_s * 50.0, {}, {}, {}};
}

inline std::vector<RegularFabric> example_fabrics() {
    return {rail_optimised(), tapered_tree(), pcie_only(), nvl72(), torus_3d(), bridged_pairs()};
}

} // namespace bursar::test
