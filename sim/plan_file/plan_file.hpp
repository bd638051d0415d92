#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/plan_file/byte_layout.hpp"
#include "sim/plan_file/record.hpp"

/// The bytes of a plan file: named sections, each an array or a record. README.md describes the
/// format. This code works in memory only.
namespace bursar { inline namespace sim {

/// Raised when numbers in a file change their meaning but not their layout: an enumerator is moved,
/// a unit changes.
inline constexpr std::uint32_t plan_format_version = 3;

/// Where sections begin: at multiples of this, so that arrays can be used where they lie.
inline constexpr std::size_t section_alignment = 64;

/// The first bytes of a file. As in PNG, they reveal a transfer that changes line ends or drops the
/// eighth bit.
inline constexpr std::array<char, 8> plan_magic{'\x89', 'B', 'P', 'L', 'A', 'N', '\r', '\n'};

namespace plan_file {

struct Header {
    std::array<char, 8> magic{};
    std::uint32_t byte_order{};
    std::uint32_t version{};
    std::uint64_t size{};    ///< of the file
    std::uint64_t content{}; ///< content_hash
    std::uint32_t num_sections{};
    std::array<std::uint32_t, 7> reserved{}; ///< 0
};

struct Section {
    std::array<char, 24> name{};  ///< zero behind its end
    std::uint64_t layout{};       ///< element_layout, or layout_of of a record
    std::uint64_t offset{};       ///< from the beginning of the file
    std::uint64_t count{};        ///< of elements
    std::uint64_t element_size{}; ///< 1: of a record
    std::uint64_t reserved{};     ///< 0

    [[nodiscard]] std::string_view text() const {
        return {name.data(), ::strnlen(name.data(), name.size())};
    }
};

static_assert(sizeof(Header) == section_alignment && sizeof(Section) == section_alignment);

} // namespace plan_file

/// The checksum of a file, over all its words but the one that holds it. Files that differ in one
/// word never have the same checksum.
///
/// bytes: a multiple of 8.
[[nodiscard]] std::uint64_t content_hash(std::span<const std::byte> bytes);

/// Builds a file from sections.
class PlanFileWriter {
  public:
    /// An array; nothing where it is empty.
    template <class T>
    void add_column(std::string_view name, const std::vector<T>& column) {
        if (column.empty())
            return;
        std::vector<std::byte> bytes(column.size() * sizeof(T));
        if constexpr (PlainBytes<T>)
            std::memcpy(bytes.data(), column.data(), bytes.size());
        else
            for (std::size_t i = 0; i < column.size(); ++i)
                pack(column[i], bytes.data() + i * sizeof(T));
        add(name, element_layout<T>(), sizeof(T), column.size(), std::move(bytes));
    }

    /// A value with a list of members.
    template <HasMembers T>
    void add_record(std::string_view name, const T& value) {
        std::vector<std::byte> bytes;
        RecordWriter{bytes}.put(value);
        const std::size_t size = bytes.size();
        add(name, layout_of(value), 1, size, std::move(bytes));
    }

    /// The file. Equal sections in equal order give equal bytes.
    [[nodiscard]] std::vector<std::byte> finish() &&;

  private:
    void add(std::string_view name,
             std::uint64_t layout,
             std::size_t element_size,
             std::size_t count,
             std::vector<std::byte> bytes);

    std::vector<plan_file::Section> sections_;
    std::vector<std::vector<std::byte>> contents_;
};

/// The sections of a file in memory. The constructor checks everything except the meaning of
/// values. Valid as long as the bytes.
class PlanFile {
  public:
    /// Throws BadPlan.
    explicit PlanFile(std::span<const std::byte> bytes);

    /// The array of that name; empty where there is none. Throws BadPlan if its elements are not T.
    template <class T>
    [[nodiscard]] std::vector<T> column(std::string_view name) const {
        static_assert(std::is_trivially_copyable_v<T>);
        const plan_file::Section* section = find(name, element_layout<T>(), sizeof(T));
        if (section == nullptr)
            return {};
        const std::byte* bytes = bytes_.data() + section->offset;
        std::vector<T> column(section->count);
        for (std::size_t i = 0; i < column.size(); ++i)
            if (!has_true_or_false<T>(bytes + i * sizeof(T)))
                throw BadPlan{"section " + std::string{name} + " cannot be read"};
        std::memcpy(static_cast<void*>(column.data()), bytes, column.size() * sizeof(T));
        return column;
    }

    /// Reads the record of that name into `value`. Returns whether there is one. Throws BadPlan if
    /// it has another layout.
    template <class T>
    bool read_record(std::string_view name, T& value) const {
        const plan_file::Section* section = find(name, layout_of(value), 1);
        if (section == nullptr)
            return false;
        RecordReader record{{reinterpret_cast<const char*>(bytes_.data()) + section->offset,
                             static_cast<std::size_t>(section->count)}};
        record.take(value);
        record.end();
        return true;
    }

  private:
    [[nodiscard]] const plan_file::Section*
    find(std::string_view name, std::uint64_t layout, std::size_t element_size) const;

    std::span<const std::byte> bytes_;
    std::vector<plan_file::Section> sections_;
};

/// Adds a plan to a file: a section for each of its columns, and one for the rest.
void add_plan(const Plan& plan, PlanFileWriter& file);

/// The plan of a file. Throws BadPlan if there is none, or if it is not valid (check_plan).
[[nodiscard]] Plan read_plan(const PlanFile& file);

}} // namespace bursar::sim
