#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// Takes entries out of an array one by one, least first, where most are never taken: O(n) to
/// build, then O(log n) each. Also for device code.
///
/// Entry: `operator<`, a total order.
template <class Entry>
class ChoiceHeap {
  public:
    ChoiceHeap() = default;
    /// Reorders the first `num` of `entries`.
    BURSAR_HD ChoiceHeap(Entry* entries, std::uint32_t num) : entries_{entries}, num_{num} {
        for (std::uint32_t i = num_ / 2; i-- > 0;)
            sift_down(i);
    }

    [[nodiscard]] BURSAR_HD bool empty() const { return num_ == 0; }

    /// Precondition: not empty().
    BURSAR_HD Entry take_first() {
        const Entry first = entries_[0];
        entries_[0] = entries_[--num_];
        sift_down(0);
        return first;
    }

  private:
    BURSAR_HD void sift_down(std::uint32_t hole) {
        const Entry entry = entries_[hole];
        for (std::uint32_t child = 2 * hole + 1; child < num_; child = 2 * hole + 1) {
            if (child + 1 < num_ && entries_[child + 1] < entries_[child])
                ++child;
            if (!(entries_[child] < entry))
                break;
            entries_[hole] = entries_[child];
            hole = child;
        }
        entries_[hole] = entry;
    }

    Entry* entries_{};
    std::uint32_t num_{};
};

}} // namespace bursar::sim
