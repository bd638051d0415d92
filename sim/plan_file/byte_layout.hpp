#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/units/int128.hpp"

#include "sim/plan/plan_members.hpp"
#include "sim/record/fingerprint.hpp"

/// The layout of values in a plan file, and its hash, which recognises a file with another layout
/// without a new version number.
namespace bursar { inline namespace sim {

/// It has a list of members: each_member(value, visit).
template <class T>
concept HasMembers = requires(T& value) { each_member(value, [](std::string_view, auto&) {}); };

/// A value without padding or pointers: its bytes are its whole content.
template <class T>
concept PlainBytes =
    std::is_trivially_copyable_v<T> && (std::has_unique_object_representations_v<T> ||
                                        std::is_floating_point_v<T> || std::is_same_v<T, int128>);

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_map = false;
template <class Key, class T, class Less>
inline constexpr bool is_map<std::map<Key, T, Less>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

inline std::uint64_t name_hash(std::string_view text) {
    std::uint64_t hash = text.size();
    for (const char c : text)
        hash = chain_hash(hash, static_cast<unsigned char>(c));
    return hash;
}

/// Where a member lies in its value, in bytes.
template <class T, class Member>
std::size_t offset_in(const T& value, const Member& member) {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&member) -
                                    reinterpret_cast<const std::byte*>(&value));
}

/// A hash of the names and kinds of a value's members, and of their members. It does not cover
/// enumerators and the meaning of numbers (plan_format_version does).
template <class T>
std::uint64_t layout_of(const T& value) {
    if constexpr (is_vector<T> || is_optional<T>) {
        return chain_hash(is_vector<T> ? 1 : 2, layout_of(typename T::value_type{}));
    } else if constexpr (is_map<T>) {
        return chain_hash(layout_of(typename T::key_type{}), layout_of(typename T::mapped_type{}));
    } else if constexpr (std::is_same_v<T, std::string>) {
        return 3;
    } else if constexpr (HasMembers<const T>) {
        std::uint64_t hash = 4;
        each_member(value, [&](std::string_view name, const auto& member) {
            hash = chain_hash(chain_hash(hash, name_hash(name)), layout_of(member));
        });
        return hash;
    } else {
        const std::uint64_t kind = std::is_floating_point_v<T> ? 5 : std::is_enum_v<T> ? 6 : 7;
        return chain_hash(chain_hash(kind, sizeof(T)), std::is_signed_v<T> ? 1 : 0);
    }
}

/// The same for the elements of an array, with the offsets of their members.
template <class T>
std::uint64_t element_layout() {
    const T any{};
    std::uint64_t hash = chain_hash(chain_hash(layout_of(any), sizeof(T)), alignof(T));
    if constexpr (HasMembers<const T>)
        each_member(any, [&](std::string_view, const auto& member) {
            hash = chain_hash(hash, offset_in(any, member));
        });
    return hash;
}

/// Writes the bytes of a value to `to`, which are zero: padding stays so.
template <class T>
    requires std::is_trivially_copyable_v<T>
void pack(const T& value, std::byte* to) {
    if constexpr (PlainBytes<T>)
        std::memcpy(to, &value, sizeof value);
    else
        each_member(value, [&]<class Member>(std::string_view, const Member& member) {
            static_assert(PlainBytes<Member>);
            std::memcpy(to + offset_in(value, member), &member, sizeof member);
        });
}

/// Whether every `bool` in the bytes of a T is 0 or 1: reading any other value is undefined.
template <class T>
bool has_true_or_false(const std::byte* bytes) {
    bool is_right = true;
    if constexpr (HasMembers<const T>) {
        const T any{};
        each_member(any, [&]<class Member>(std::string_view, const Member& member) {
            if constexpr (std::is_same_v<Member, bool>)
                is_right = is_right && bytes[offset_in(any, member)] <= std::byte{1};
        });
    }
    return is_right;
}

}} // namespace bursar::sim
