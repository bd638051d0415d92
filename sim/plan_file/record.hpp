#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sim/plan_file/byte_layout.hpp"

/// Values with texts and lists, one after the other: numbers as they lie in memory, a length before
/// every text and list, and a byte before every optional value.
namespace bursar { inline namespace sim {

/// The bytes are no plan that this program can read: truncated, damaged, or from another version or
/// machine. The message says which.
class BadPlan : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Appends values to `bytes`.
class RecordWriter {
  public:
    explicit RecordWriter(std::vector<std::byte>& bytes) : bytes_{bytes} {}

    template <class T>
    void put(const T& value) {
        if constexpr (std::is_same_v<T, std::string>) {
            put(std::uint64_t{value.size()});
            put_bytes(value.data(), value.size());
        } else if constexpr (is_vector<T>) {
            put(std::uint64_t{value.size()});
            if constexpr (PlainBytes<typename T::value_type>)
                put_bytes(value.data(), value.size() * sizeof(typename T::value_type));
            else
                for (const auto& one : value)
                    put(one);
        } else if constexpr (is_map<T>) {
            put(std::uint64_t{value.size()});
            for (const auto& [key, one] : value) {
                put(key);
                put(one);
            }
        } else if constexpr (is_optional<T>) {
            put(value.has_value());
            if (value)
                put(*value);
        } else if constexpr (HasMembers<const T>) {
            each_member(value, [&](std::string_view, const auto& member) { put(member); });
        } else {
            static_assert(PlainBytes<T>);
            put_bytes(&value, sizeof value);
        }
    }

  private:
    void put_bytes(const void* from, std::size_t size) {
        const auto* first = static_cast<const std::byte*>(from);
        bytes_.insert(bytes_.end(), first, first + size);
    }

    std::vector<std::byte>& bytes_;
};

/// Reads them back in the same order. Throws BadPlan if bytes are missing or not a valid value.
class RecordReader {
  public:
    explicit RecordReader(std::string_view bytes) : left_{bytes} {}

    template <class T>
    void take(T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            const auto byte = taken<std::uint8_t>();
            require(byte <= 1);
            value = byte == 1;
        } else if constexpr (std::is_same_v<T, std::string>) {
            value = next(taken_size(1));
        } else if constexpr (is_vector<T>) {
            take_list(value);
        } else if constexpr (is_map<T>) {
            value.clear();
            for (std::uint64_t left = taken_size(1); left > 0; --left)
                take(value[taken<typename T::key_type>()]);
        } else if constexpr (is_optional<T>) {
            value.reset();
            if (taken<bool>())
                take(value.emplace());
        } else if constexpr (HasMembers<T>) {
            each_member(value, [&](std::string_view, auto& member) { take(member); });
        } else {
            static_assert(PlainBytes<T>);
            std::memcpy(&value, next(sizeof value).data(), sizeof value);
        }
    }
    /// Throws BadPlan if bytes are left.
    void end() const { require(left_.empty()); }

  private:
    template <class T>
    T taken() {
        T value{};
        take(value);
        return value;
    }
    template <class T>
    void take_list(std::vector<T>& list) {
        list.clear();
        if constexpr (PlainBytes<T> && !std::is_same_v<T, bool>) {
            list.resize(taken_size(sizeof(T)));
            if (!list.empty()) // memcpy must not get null
                std::memcpy(
                    list.data(), next(list.size() * sizeof(T)).data(), list.size() * sizeof(T));
        } else {
            for (std::uint64_t left = taken_size(1); left > 0; --left)
                take(list.emplace_back());
        }
    }
    /// A count of elements. Throws BadPlan unless `least` bytes for each of them follow.
    std::uint64_t taken_size(std::size_t least) {
        const auto size = taken<std::uint64_t>();
        require(size <= left_.size() / least);
        return size;
    }
    std::string_view next(std::size_t size) {
        require(size <= left_.size());
        const std::string_view bytes = left_.substr(0, size);
        left_.remove_prefix(size);
        return bytes;
    }
    static void require(bool holds) {
        if (!holds)
            throw BadPlan{"a record in it cannot be read"};
    }

    std::string_view left_;
};

}} // namespace bursar::sim
