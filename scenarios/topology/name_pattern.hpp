#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/reader/reader.hpp"

namespace bursar { inline namespace scenarios {

/// One index of a name: the numbers first..last, or a letter for a number, plus
/// `offset`, modulo the size.
struct IndexTerm {
    std::int64_t first{};
    std::int64_t last{};
    char letter{}; ///< 'a'..'z'; 0: a range
    std::int64_t offset{};

    /// The number of the term if its letter is `bound`, in a row of `size` devices.
    [[nodiscard]] std::int64_t number(std::int64_t bound, std::int64_t size) const {
        return offset == 0 ? bound : (bound + offset) % size;
    }
};

/// The numbers of letters; absent: any.
using Bindings = std::array<std::optional<std::int64_t>, 26>;

/// A name of devices with its indices open: "rack[r]/node[0..7]/gpu[g]".
struct NamePattern {
    std::string shape;            ///< the name without its indices: "rack[]/node[]/gpu[]"
    std::vector<IndexTerm> terms; ///< in the order of the name

    /// The name with numbers for its indices.
    [[nodiscard]] std::string name(std::span<const std::int64_t> indices) const;

    /// Whether a device of this shape with these indices matches; binds letters that are still
    /// free. A term with an offset matches modulo `sizes[term]`.
    [[nodiscard]] bool matches(std::span<const std::int64_t> indices,
                               std::span<const std::int64_t> sizes,
                               Bindings& bindings) const;
};

/// A word to which two names of equal words give different numbers of indices.
struct IndexCounts {
    std::string word;
    std::int64_t one{};
    std::int64_t other{};
};

/// Absent if the words differ. one, other: NamePattern::shape.
[[nodiscard]] std::optional<IndexCounts> unequal_indices(std::string_view one,
                                                         std::string_view other);

/// Reads a name: words of [a-z][a-z0-9-]* joined by '/', each with or without indices in brackets,
/// separated by commas. An index is a number, a range `0..7`, a letter, or a letter with an offset
/// `x+1`.
struct NamePatternRule {
    using value_type = NamePattern;
    [[nodiscard]] std::optional<NamePattern> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// The devices of one shape of name, by their indices.
struct DevicesOfShape {
    std::vector<std::uint32_t> devices;
    std::vector<std::int64_t> indices; ///< `sizes.size()` per device
    std::vector<std::int64_t> sizes;   ///< per position: the largest index plus one

    [[nodiscard]] std::span<const std::int64_t> indices_of(std::size_t device) const {
        return std::span{indices}.subspan(device * sizes.size(), sizes.size());
    }
};

/// The devices of a fabric by the shape of their names.
class DeviceIndex {
  public:
    void add(const std::string& shape, std::span<const std::int64_t> indices, std::uint32_t device);

    /// Null: no device has a name of that shape.
    [[nodiscard]] const DevicesOfShape* find(std::string_view shape) const;
    [[nodiscard]] std::vector<std::string> shapes() const;

  private:
    std::map<std::string, DevicesOfShape, std::less<>> shapes_;
};

/// The two ends of one entry of links.
struct LinkPattern {
    NamePattern from;
    NamePattern to;
};

/// The pairs of devices that an entry joins: every device that matches `from`, with every device
/// that matches `to` for the same letters. A pair comes once, in either order; no device is joined
/// with itself.
struct LinkPairs {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    std::optional<std::uint32_t> unmatched; ///< a device without a match at the other end
};

/// from, to: the devices of the patterns' shapes. max_pairs: where to stop.
LinkPairs link_pairs(const LinkPattern& pattern,
                     const DevicesOfShape& from,
                     const DevicesOfShape& to,
                     std::size_t max_pairs);

}} // namespace bursar::scenarios
