#pragma once

#include <cstddef>
#include <vector>

#include "sim/arena/arena.hpp"

namespace bursar::test {

/// Separate memory for an object that is laid out in an arena: `lay_out(carver)` is called to
/// measure and again to carve; its second result is kept.
template <class T>
struct ArenaBlock {
    template <class LayOut>
    explicit ArenaBlock(LayOut lay_out) {
        ArenaCarver measure{nullptr};
        lay_out(measure);
        memory.resize(measure.used() / sizeof(Line) + 1);
        ArenaCarver carver{reinterpret_cast<std::byte*>(memory.data())};
        content = lay_out(carver);
    }

    struct alignas(64) Line {
        std::byte bytes[64];
    };
    std::vector<Line> memory;
    T content;
};

} // namespace bursar::test
