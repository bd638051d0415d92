#include "sim/plan_file/plan_file.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/plan/check_plan.hpp"
#include "sim/plan/plan_members.hpp"

namespace bursar { inline namespace sim {
namespace {

using plan_file::Header;
using plan_file::Section;

constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::uint32_t other_byte_order = 0x04030201;

std::size_t aligned(std::size_t size) {
    return (size + section_alignment - 1) / section_alignment * section_alignment;
}

[[noreturn]] void fail(const std::string& why) {
    throw BadPlan{why};
}

Header checked_header(std::span<const std::byte> bytes) {
    if (bytes.empty())
        fail("it is empty");
    Header header;
    const std::size_t there = std::min(bytes.size(), sizeof header);
    std::memcpy(&header, bytes.data(), there);
    const std::size_t known = std::min(there, plan_magic.size());
    if (!std::equal(plan_magic.begin(),
                    plan_magic.begin() + static_cast<std::ptrdiff_t>(known),
                    header.magic.begin()))
        fail("it is no plan file");
    if (there < sizeof header)
        fail("it is cut short: " + std::to_string(bytes.size()) + " bytes are there");
    if (header.byte_order == other_byte_order)
        fail("it was written on a machine with another order of bytes; compile the scenario here");
    if (header.byte_order != byte_order)
        fail("it is damaged in its first bytes");
    if (header.version != plan_format_version)
        fail("it is of version " + std::to_string(header.version) +
             " of the format, and this "
             "program reads version " +
             std::to_string(plan_format_version) + "; compile the scenario again");
    if (bytes.size() < header.size)
        fail("it is cut short: " + std::to_string(bytes.size()) + " of " +
             std::to_string(header.size) + " bytes are there");
    if (bytes.size() != header.size || bytes.size() % section_alignment != 0)
        fail("it is " + std::to_string(bytes.size()) + " bytes long and says " +
             std::to_string(header.size));
    if (content_hash(bytes) != header.content)
        fail("it is damaged: its content does not agree with its checksum");
    return header;
}

/// The table; checks that every section lies inside the file and after the one before.
std::vector<Section> checked_sections(std::span<const std::byte> bytes, const Header& header) {
    const std::size_t num_units = bytes.size() / section_alignment;
    if (header.num_sections == 0 || header.num_sections > num_units - 1)
        fail("its table of sections is wrong");
    std::vector<Section> sections(header.num_sections);
    std::memcpy(static_cast<void*>(sections.data()),
                bytes.data() + sizeof header,
                sections.size() * sizeof(Section));
    std::size_t end = sizeof header + sections.size() * sizeof(Section);
    for (const Section& section : sections) {
        const bool fits = section.offset >= end && section.offset % section_alignment == 0 &&
                          section.offset <= bytes.size() && section.element_size > 0 &&
                          section.count > 0 &&
                          section.count <= (bytes.size() - section.offset) / section.element_size;
        if (!fits)
            fail("its table of sections is wrong");
        end = section.offset + section.count * section.element_size;
    }
    return sections;
}

} // namespace

std::uint64_t content_hash(std::span<const std::byte> bytes) {
    // Every step is one to one both in the hash so far and in the word.
    constexpr std::size_t own = offsetof(Header, content);
    std::uint64_t hash = bytes.size();
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        if (at != own)
            std::memcpy(&word, bytes.data() + at, sizeof word);
        hash = chain_hash(hash, word);
    }
    return hash;
}

void PlanFileWriter::add(std::string_view name,
                         std::uint64_t layout,
                         std::size_t element_size,
                         std::size_t count,
                         std::vector<std::byte> bytes) {
    Section section;
    assert(name.size() <= section.name.size());
    std::ranges::copy(name, section.name.begin());
    section.layout = layout;
    section.count = count;
    section.element_size = element_size;
    sections_.push_back(section);
    contents_.push_back(std::move(bytes));
}

std::vector<std::byte> PlanFileWriter::finish() && {
    std::size_t size = sizeof(Header) + sections_.size() * sizeof(Section);
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        sections_[i].offset = size;
        size += aligned(contents_[i].size());
    }
    std::vector<std::byte> bytes(size);
    Header header;
    header.magic = plan_magic;
    header.byte_order = byte_order;
    header.version = plan_format_version;
    header.size = size;
    header.num_sections = static_cast<std::uint32_t>(sections_.size());
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + sizeof header, sections_.data(), sections_.size() * sizeof(Section));
    for (std::size_t i = 0; i < sections_.size(); ++i)
        std::ranges::copy(std::exchange(contents_[i], {}),
                          bytes.begin() + static_cast<std::ptrdiff_t>(sections_[i].offset));
    header.content = content_hash(bytes);
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
}

PlanFile::PlanFile(std::span<const std::byte> bytes)
    : bytes_{bytes}, sections_{checked_sections(bytes, checked_header(bytes))} {}

const Section*
PlanFile::find(std::string_view name, std::uint64_t layout, std::size_t element_size) const {
    const auto found = std::ranges::find(sections_, name, &Section::text);
    if (found == sections_.end())
        return nullptr;
    if (found->layout != layout || found->element_size != element_size)
        fail("its section " + std::string{name} +
             " is of another version of this program; compile the scenario again");
    return &*found;
}

namespace {

constexpr std::string_view rest_name = "plan";

} // namespace

void add_plan(const Plan& plan, PlanFileWriter& file) {
    file.add_record(rest_name, PlanRest{plan});
    each_column(plan,
                [&](std::string_view name, const auto& column) { file.add_column(name, column); });
}

Plan read_plan(const PlanFile& file) {
    Plan plan;
    PlanRest rest{plan};
    if (!file.read_record(rest_name, rest))
        throw BadPlan{"it holds no plan"};
    each_column(plan, [&]<class T>(std::string_view name, std::vector<T>& column) {
        column = file.column<T>(name);
    });
    if (const std::optional<std::string> flaw = check_plan(plan))
        throw BadPlan{"its plan cannot be run: " + *flaw};
    return plan;
}

}} // namespace bursar::sim
