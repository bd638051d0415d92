#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/variants/variants.hpp"

namespace bursar { inline namespace scenarios {

/// The values of an axis in ascending order, if they are numbers of one unit (`10`, `0.5
/// USD/gpu-h`) or ranges of numbers (`0..8`). Values between two neighbours can be added.
class NumberAxis {
  public:
    /// Absent for other values, and for paths that change together.
    static std::optional<NumberAxis> of(const Axis& axis);

    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] const std::string& value(std::size_t place) const { return entries_[place].text; }
    /// Precondition: the axis has the value.
    [[nodiscard]] std::size_t place_of(std::string_view value) const;

    /// A value with a fraction between the first two, if all values are whole: "8.5". A path that
    /// cannot be read with it needs keep_whole().
    [[nodiscard]] std::optional<std::string> fraction() const;
    void keep_whole() { is_whole_ = true; }

    /// The value halfway between two neighbours, `place` and the next one, rounded down where it
    /// has no further digit. A range is halved at both its ends. Absent: no value lies between.
    [[nodiscard]] std::optional<std::string> between(std::size_t place) const;

    /// value: of between().
    void insert(const std::string& value);

    /// At most this many values after `times` rounds that add a value on both sides of one.
    [[nodiscard]] std::uint64_t max_size(std::uint64_t times) const;

  private:
    /// Whole multiples of 10^-decimals_.
    struct Entry {
        std::int64_t last{};
        std::int64_t first{}; ///< of a range; else as `last`
        std::string text;
    };

    [[nodiscard]] bool has_next_digit() const;
    [[nodiscard]] std::string text_of(std::int64_t first, std::int64_t last, int decimals) const;
    [[nodiscard]] bool add(const std::string& text);

    std::vector<Entry> entries_;
    std::string unit_;
    int decimals_{};
    bool is_range_{};
    bool is_whole_{}; ///< no value with a fraction is added
};

}} // namespace bursar::scenarios
