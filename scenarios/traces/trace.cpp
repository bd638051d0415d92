#include "scenarios/traces/trace.hpp"

#include <algorithm>
#include <utility>

namespace bursar { inline namespace scenarios {
namespace {

template <class T>
std::uint64_t at(const std::vector<T>& column, std::size_t row) {
    return column.empty() ? 0 : column[row];
}

/// The numbers of a row that decide its kind, packed.
struct Key {
    std::uint64_t gang{};  ///< GPUs, CPU
    std::uint64_t share{}; ///< memory, part of a GPU
    std::uint32_t gpu{};   ///< the GPUs that it may use, and the one it ran on
    bool operator==(const Key&) const = default;
};

Key key_of(const Trace& trace, std::size_t row) {
    return {std::uint64_t{trace.gpus[row]} << 32U | at(trace.cpu_milli, row),
            at(trace.memory_mib, row) << 16U | at(trace.gpu_milli, row),
            static_cast<std::uint32_t>(at(trace.gpu_types, row) << 16U | at(trace.ran_on, row))};
}

/// Numbers keys in the order of their first use: open addressing, a power of two of
/// slots, at most half full.
class KeyNumbers {
  public:
    KeyNumbers() : slots_(64) {}

    /// The key's number, and whether it is new.
    std::pair<std::uint32_t, bool> of(const Key& key) {
        Slot& slot = slots_[place_of(key)];
        if (slot.number != 0)
            return {slot.number - 1, false};
        slot = {key, ++num_};
        if (2 * num_ > slots_.size())
            grow();
        return {num_ - 1, true};
    }

  private:
    struct Slot {
        Key key;
        std::uint32_t number{}; ///< 1 + the key's; 0: free
    };

    /// The slot of a key, or the free one for it.
    [[nodiscard]] std::size_t place_of(const Key& key) const {
        // An odd factor spreads differences in low bits over the high ones (Knuth, 6.4).
        std::uint64_t hash = key.gang * 0x9e3779b97f4a7c15U + key.share * 0xc2b2ae3d27d4eb4fU +
                             key.gpu * 0x165667b19e3779f9U;
        hash ^= hash >> 32U;
        std::size_t place = hash & (slots_.size() - 1);
        while (slots_[place].number != 0 && slots_[place].key != key)
            place = (place + 1) & (slots_.size() - 1);
        return place;
    }

    void grow() {
        const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
        for (const Slot& slot : old)
            if (slot.number != 0)
                slots_[place_of(slot.key)] = slot;
    }

    std::vector<Slot> slots_;
    std::uint32_t num_{};
};

} // namespace

RowKinds::RowKinds(const Trace& trace)
    : is_sorted_{std::ranges::is_sorted(trace.submit_ms)},
      max_duration_ms_{trace.duration_ms.empty() ? 0 : std::ranges::max(trace.duration_ms)} {
    KeyNumbers numbers;
    of_rows_.reserve(trace.size());
    for (std::size_t row = 0; row < trace.size(); ++row) {
        const auto [kind, is_new] = numbers.of(key_of(trace, row));
        if (is_new)
            kinds_.push_back({static_cast<std::uint32_t>(row), 0});
        ++kinds_[kind].num_rows;
        of_rows_.push_back(kind);
    }
}

}} // namespace bursar::scenarios
