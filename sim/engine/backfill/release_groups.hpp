#pragma once

#include <cassert>
#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// Attempts of one pool by the key of their release, in groups: all keys of a group are less than
/// those of the next one, and inside a group they are unsorted. It starts as one group; reading a
/// large group splits it.
///
/// A group is a ring of entries. A split divides a group by equal parts of its span. So each entry
/// is moved once for every four bits of precision that queries needed.
class ReleaseGroups {
  public:
    struct Entry {
        std::uint64_t key{}; ///< no two are equal
        std::int64_t slots{};
        std::uint32_t next{};
        std::uint32_t previous{};
    };

    BURSAR_HD void clear() {
        first_ = 0;
        end_ = 1;
        begin_key_[0] = 0;
        groups_[0] = {};
    }

    BURSAR_HD void insert(Entry* entries, std::uint32_t at) {
        add_to(groups_[around(entries[at].key)], entries, at);
    }
    BURSAR_HD void erase(Entry* entries, std::uint32_t at) {
        const Entry& entry = entries[at];
        Group& group = groups_[around(entry.key)];
        group.slots -= entry.slots;
        if (--group.size == 0)
            return;
        entries[entry.previous].next = entry.next;
        entries[entry.next].previous = entry.previous;
        if (group.first == at)
            group.first = entry.next;
    }

    // Groups by number, first() .. end() - 1.
    /// Also drops empty groups at the front.
    [[nodiscard]] BURSAR_HD std::uint32_t first() {
        while (groups_[first_].size == 0 && first_ + 1 < end_)
            begin_key_[++first_] = 0;
        return first_;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t end() const { return end_; }
    [[nodiscard]] BURSAR_HD std::uint64_t begin_key(std::uint32_t group) const {
        return begin_key_[group];
    }
    [[nodiscard]] BURSAR_HD std::int64_t slots(std::uint32_t group) const {
        return groups_[group].slots;
    }
    [[nodiscard]] BURSAR_HD bool is_large(std::uint32_t group) const {
        return groups_[group].size > max_small;
    }

    /// Calls `visit(at) -> bool` in order of the keys until it returns false. Cost: the square of
    /// the size.
    template <class Visit>
    BURSAR_HD void
    for_each_in_order(const Entry* entries, std::uint32_t group, const Visit& visit) const {
        const Group& own = groups_[group];
        std::uint64_t past = 0; // keys below it are visited
        for (std::uint32_t left = own.size; left > 0; --left) {
            std::uint32_t least = own.first;
            std::uint64_t least_key = ~std::uint64_t{0};
            std::uint32_t at = own.first;
            for (std::uint32_t i = 0; i < own.size; ++i, at = entries[at].next) {
                const std::uint64_t key = entries[at].key;
                const bool is_less = key >= past && key < least_key;
                least = is_less ? at : least;
                least_key = is_less ? key : least_key;
            }
            past = least_key + 1;
            if (!visit(least))
                return;
        }
    }

    /// Splits a large group. Returns the number of the first of its parts.
    [[nodiscard]] BURSAR_HD std::uint32_t split(Entry* entries, std::uint32_t group) {
        if (end_ + max_parts > max_groups)
            group = make_room(entries, group);
        const Group whole = groups_[group];
        std::uint64_t low = ~std::uint64_t{0};
        std::uint64_t high = 0;
        std::uint32_t at = whole.first;
        for (std::uint32_t i = 0; i < whole.size; ++i, at = entries[at].next) {
            low = entries[at].key < low ? entries[at].key : low;
            high = entries[at].key > high ? entries[at].key : high;
        }
        unsigned shift = 0;
        while ((high - low) >> shift >= max_parts)
            ++shift;
        Group parts[max_parts];
        for (std::uint32_t i = 0; i < whole.size; ++i) {
            const std::uint32_t next = entries[at].next;
            add_to(parts[(entries[at].key - low) >> shift], entries, at);
            at = next;
        }
        std::uint32_t num_more = 0;
        for (std::uint32_t part = 1; part < max_parts; ++part)
            num_more += parts[part].size > 0 ? 1 : 0;
        assert(parts[0].size > 0 && num_more > 0); // least and greatest key are in different parts
        for (std::uint32_t g = end_; --g > group;)
            move(g, g + num_more);
        end_ += num_more;
        groups_[group] = parts[0]; // keeps the whole group's begin
        std::uint32_t g = group;
        for (std::uint32_t part = 1; part < max_parts; ++part) {
            if (parts[part].size == 0)
                continue;
            groups_[++g] = parts[part];
            begin_key_[g] = low + (std::uint64_t{part} << shift);
        }
        return group;
    }

  private:
    static constexpr std::uint32_t max_groups = 128;
    static constexpr std::uint32_t max_parts = 16;
    static constexpr std::uint32_t max_small = 16;

    struct Group {
        std::int64_t slots{};
        std::uint32_t size{};
        std::uint32_t first{}; ///< some entry of it, where size > 0
    };

    [[nodiscard]] BURSAR_HD std::uint32_t around(std::uint64_t key) const {
        std::uint32_t low = first_;
        for (std::uint32_t num = end_ - first_; num > 1;) {
            const std::uint32_t half = num / 2;
            low += begin_key_[low + half] <= key ? half : 0;
            num -= half;
        }
        return low;
    }

    BURSAR_HD static void add_to(Group& group, Entry* entries, std::uint32_t at) {
        Entry& entry = entries[at];
        group.slots += entry.slots;
        if (group.size++ == 0) {
            group.first = entry.next = entry.previous = at;
            return;
        }
        entry.next = group.first;
        entry.previous = entries[group.first].previous;
        entries[entry.previous].next = at;
        entries[group.first].previous = at;
    }
    /// Joins two rings.
    BURSAR_HD static void join(Group& group, const Group& other, Entry* entries) {
        if (group.size == 0) {
            group = other;
            return;
        }
        if (other.size == 0)
            return;
        const std::uint32_t last = entries[group.first].previous;
        const std::uint32_t other_last = entries[other.first].previous;
        entries[last].next = other.first;
        entries[other.first].previous = last;
        entries[other_last].next = group.first;
        entries[group.first].previous = other_last;
        group.size += other.size;
        group.slots += other.slots;
    }
    BURSAR_HD void move(std::uint32_t from, std::uint32_t to) {
        groups_[to] = groups_[from];
        begin_key_[to] = begin_key_[from];
    }

    /// Joins neighbouring groups in pairs, except the one being read. Returns the new number of
    /// that one.
    [[nodiscard]] BURSAR_HD std::uint32_t make_room(Entry* entries, std::uint32_t keep) {
        std::uint32_t end = 0;
        std::uint32_t kept = 0;
        for (std::uint32_t g = first_; g < end_; ++end) {
            move(g, end);
            if (g == keep)
                kept = end;
            else if (g + 1 < end_ && g + 1 != keep)
                join(groups_[end], groups_[++g], entries);
            ++g;
        }
        first_ = 0;
        end_ = end;
        return kept;
    }

    std::uint32_t first_{};
    std::uint32_t end_{1};
    std::uint64_t begin_key_[max_groups]; ///< no key of the group is less
    Group groups_[max_groups];
};

}} // namespace bursar::sim
