#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/plan/check_plan.hpp"
#include "sim/plan_file/plan_file.hpp"

#include "tests/fuzz/targets.hpp"
#include "tests/rich_plan.hpp"

/// Whatever bytes a plan file holds: either BadPlan, or a plan that a run can rely on and that is
/// stored and loaded as it is. Both targets change a plan that has something in every column, and
/// make the checksum agree, so that a changed layout needs no new seeds.
namespace bursar::fuzz {
namespace {

using FileBytes = std::vector<std::byte>;
using plan_file::Header;
using plan_file::Section;

FileBytes stored(const Plan& plan) {
    PlanFileWriter file;
    add_plan(plan, file);
    return std::move(file).finish();
}

const FileBytes& good_file() {
    static const FileBytes good = stored(test::rich_plan());
    return good;
}

void sign(FileBytes& bytes) {
    const std::uint64_t hash = content_hash(bytes);
    std::memcpy(bytes.data() + offsetof(Header, content), &hash, sizeof hash);
}

/// Each four bytes are a place (two bytes), a value and how it is put there.
FileBytes with_bytes(FileBytes bytes, std::span<const std::uint8_t> changes) {
    for (; changes.size() >= 4; changes = changes.subspan(4)) {
        const std::size_t at = (changes[0] | std::size_t{changes[1]} << 8U) % bytes.size();
        const auto value = static_cast<std::byte>(changes[2]);
        bytes[at] = changes[3] % 2 == 0 ? value : bytes[at] ^ value;
    }
    sign(bytes);
    return bytes;
}

void check_file(const FileBytes& bytes) {
    read_or_refuse<BadPlan>([&] {
        const Plan plan = read_plan(PlanFile{bytes});
        const FileBytes again = stored(plan);
        require(!check_plan(plan) && stored(read_plan(PlanFile{again})) == again);
    });
}

/// A file taken apart.
struct Parts {
    Header header;
    std::vector<Section> sections;
    std::vector<FileBytes> contents;

    explicit Parts(const FileBytes& file) {
        std::memcpy(&header, file.data(), sizeof header);
        sections.resize(header.num_sections);
        std::memcpy(static_cast<void*>(sections.data()),
                    file.data() + sizeof header,
                    sections.size() * sizeof(Section));
        for (const Section& section : sections) {
            const auto begin = file.begin() + static_cast<std::ptrdiff_t>(section.offset);
            contents.emplace_back(
                begin, begin + static_cast<std::ptrdiff_t>(section.count * section.element_size));
        }
    }

    /// The file of these parts, wherever they are sound or not.
    [[nodiscard]] FileBytes file() {
        std::size_t size = sizeof header + sections.size() * sizeof(Section);
        for (std::size_t i = 0; i < sections.size(); ++i) {
            sections[i].offset = size;
            size += (contents[i].size() + section_alignment - 1) / section_alignment *
                    section_alignment;
        }
        FileBytes bytes(size);
        header.size = size;
        header.num_sections = static_cast<std::uint32_t>(sections.size());
        std::memcpy(bytes.data(), &header, sizeof header);
        std::memcpy(
            bytes.data() + sizeof header, sections.data(), sections.size() * sizeof(Section));
        for (std::size_t i = 0; i < sections.size(); ++i)
            std::ranges::copy(contents[i],
                              bytes.begin() + static_cast<std::ptrdiff_t>(sections[i].offset));
        sign(bytes);
        return bytes;
    }
};

/// One change of a section: what, the section, and two numbers.
void change_section(Parts& parts, std::span<const std::uint8_t, 8> change) {
    if (parts.sections.empty())
        return;
    const std::size_t place = change[1] % parts.sections.size();
    const std::size_t number = change[2] | std::size_t{change[3]} << 8U;
    std::int32_t value{};
    std::memcpy(&value, change.data() + 4, sizeof value);
    Section& section = parts.sections[place];
    FileBytes& content = parts.contents[place];
    switch (change[0] % 7) {
    case 0: // fewer or more elements, whole ones
        section.count = number % (2 * section.count + 2);
        content.resize(section.count * section.element_size, std::byte(change[4]));
        break;
    case 1: // another count than there are elements
        section.count += static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
        break;
    case 2:
        section.element_size = number;
        break;
    case 3:
        std::swap(section.name, parts.sections[number % parts.sections.size()].name);
        break;
    case 4:
        parts.sections.erase(parts.sections.begin() + static_cast<std::ptrdiff_t>(place));
        parts.contents.erase(parts.contents.begin() + static_cast<std::ptrdiff_t>(place));
        break;
    case 5: // a number of 32 bits in it
        if (content.size() >= sizeof value)
            std::memcpy(content.data() +
                            number * sizeof value % (content.size() - sizeof value + 1),
                        &value,
                        sizeof value);
        break;
    default:
        section.layout += number;
        break;
    }
}

std::span<const std::uint8_t> bytes_of(std::string_view input) {
    return {reinterpret_cast<const std::uint8_t*>(input.data()), input.size()}; // NOLINT: text
}

} // namespace

/// The input is a file as it stands where its first byte is 0. Else it changes the good file.
void plan(std::string_view input) {
    if (!input.empty() && input.front() != 0) {
        check_file(with_bytes(good_file(), bytes_of(input.substr(1))));
        return;
    }
    const auto raw = std::as_bytes(bytes_of(input.substr(input.empty() ? 0 : 1)));
    check_file({raw.begin(), raw.end()});
}

/// Each eight bytes are a change of a section.
void plan_sections(std::string_view input) {
    Parts parts{good_file()};
    std::span<const std::uint8_t> changes = bytes_of(input);
    for (; changes.size() >= 8; changes = changes.subspan(8))
        change_section(parts, changes.first<8>());
    check_file(parts.file());
}

} // namespace bursar::fuzz
