#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "sim/arena/arena.hpp"

namespace bursar { inline namespace sim {

/// Copies columns into one block that will be read at another address, on a device. With a null
/// block it only measures, as ArenaCarver does.
class ImageWriter {
  public:
    /// block: where the columns are written; address: where the block will lie when they are read.
    /// Both are aligned as the block of an arena is.
    ImageWriter(std::byte* block, const std::byte* address)
        : carver_{block}, block_{block}, address_{address} {}

    /// Address of the copy of `column`; null if it is empty, and while measuring.
    template <class T>
    const T* copy(const std::vector<T>& column) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (column.empty())
            return nullptr;
        T* to = carver_.take<T>(column.size());
        if (to == nullptr)
            return nullptr;
        std::copy(column.begin(), column.end(), to);
        return reinterpret_cast<const T*>(address_ + (reinterpret_cast<std::byte*>(to) - block_));
    }

    [[nodiscard]] std::size_t used() const { return carver_.used(); }

  private:
    ArenaCarver carver_;
    std::byte* block_;
    const std::byte* address_;
};

}} // namespace bursar::sim
