#pragma once

#include <cstddef>
#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// Deals out the pieces of one block of memory, in a fixed order. With a null block it only
/// measures: the same carving code gives the size of the arena and, run again, the pointers into
/// it, so that the layout stands in one place.
class ArenaCarver {
  public:
    BURSAR_HD explicit ArenaCarver(std::byte* block) : block_{block} {}

    /// Room for `count` objects of T, not constructed; null while measuring.
    template <class T>
    BURSAR_HD T* take(std::size_t count) {
        used_ = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
        T* piece = block_ == nullptr ? nullptr : reinterpret_cast<T*>(block_ + used_);
        used_ += count * sizeof(T);
        return piece;
    }

    [[nodiscard]] BURSAR_HD std::size_t used() const { return used_; }

  private:
    std::byte* block_;
    std::size_t used_{};
};

}} // namespace bursar::sim
