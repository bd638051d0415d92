#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <rapidcheck/Assertions.h>
#include <rapidcheck/Classify.h>
#include <rapidcheck/Log.h>

// The parts of RapidCheck that most properties use, as functions that are compiled once: as
// templates, compiled for each type and property, they were a third of the tests' objects. Other
// generators: include <rapidcheck.h>.

namespace bursar {

/// rc::check for a property that draws its case itself.
bool check_property(const std::function<void()>& property);
bool check_property(const std::string& description, const std::function<void()>& property);
/// The same with `times` as many cases as other properties, and without a line where it holds.
bool check_property_often(int times, const std::function<void()>& property);

/// Draw parts of a case. Only in a property that RapidCheck checks.
namespace drawn {

std::int64_t signed_in_range(std::int64_t low, std::int64_t high);
std::uint64_t unsigned_in_range(std::uint64_t low, std::uint64_t high);
/// Less than `size`. Shrinking keeps it.
std::size_t index(std::size_t size);
bool boolean();
std::uint64_t bits();
/// Any number of the alphabet's characters.
std::string text(std::string_view alphabet);

/// From `low` to `high` - 1, near `low` in the first cases. Shrinking moves it towards `low`.
template <std::integral Number>
Number in_range(Number low, std::type_identity_t<Number> high) {
    if constexpr (std::is_signed_v<Number>)
        return static_cast<Number>(signed_in_range(low, high));
    else
        return static_cast<Number>(unsigned_in_range(low, high));
}

/// One of the values. Shrinking keeps it.
template <class Value, std::convertible_to<Value>... More>
Value one_of(Value first, More... more) {
    const std::array<Value, 1 + sizeof...(More)> values{std::move(first),
                                                        static_cast<Value>(std::move(more))...};
    return values[index(values.size())];
}

template <class Container>
auto element_of(const Container& elements) {
    return *std::next(std::begin(elements),
                      static_cast<std::ptrdiff_t>(index(std::size(elements))));
}

} // namespace drawn
} // namespace bursar
