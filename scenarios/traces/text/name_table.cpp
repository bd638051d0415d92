#include "scenarios/traces/text/name_table.hpp"

#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace bursar { inline namespace scenarios {
namespace {
constexpr std::size_t first_slots = 64; // powers of two, at most half full
}

NameTable::NameTable() : slots_(first_slots) {}

std::optional<std::uint16_t> NameTable::number_of(std::string_view name) {
    const std::uint64_t hash = XXH3_64bits(name.data(), name.size());
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    for (; slots_[at].number_plus_one != 0; at = (at + 1) & mask) {
        const Slot& slot = slots_[at];
        if (slot.hash == hash && names_[slot.number_plus_one - 1] == name)
            return static_cast<std::uint16_t>(slot.number_plus_one - 1);
    }
    if (names_.size() == max_names)
        return std::nullopt;
    names_.emplace_back(name);
    slots_[at] = {hash, static_cast<std::uint32_t>(names_.size())};
    if (2 * names_.size() > slots_.size())
        grow();
    return static_cast<std::uint16_t>(names_.size() - 1);
}

void NameTable::grow() {
    std::vector<Slot> larger(2 * slots_.size());
    const std::size_t mask = larger.size() - 1;
    for (const Slot& slot : slots_) {
        if (slot.number_plus_one == 0)
            continue;
        std::size_t at = slot.hash & mask;
        while (larger[at].number_plus_one != 0)
            at = (at + 1) & mask;
        larger[at] = slot;
    }
    slots_ = std::move(larger);
}

std::vector<std::string> NameTable::take() {
    slots_.assign(first_slots, {});
    return std::exchange(names_, {});
}

}} // namespace bursar::scenarios
