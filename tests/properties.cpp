#include "tests/properties.hpp"

#include <iostream>

#include <rapidcheck.h>

namespace bursar {

bool check_property(const std::function<void()>& property) {
    return rc::check(property);
}

bool check_property(const std::string& description, const std::function<void()>& property) {
    return rc::check(description, property);
}

bool check_property_often(int times, const std::function<void()>& property) {
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    params.maxSuccess *= times;
    const rc::detail::TestResult result =
        rc::detail::checkTestable(property, rc::detail::TestMetadata{}, params);
    const bool holds = result.is<rc::detail::SuccessResult>();
    if (!holds)
        rc::detail::printResultMessage(result, std::cerr);
    return holds;
}

namespace drawn {

std::int64_t signed_in_range(std::int64_t low, std::int64_t high) {
    return *rc::gen::inRange(low, high);
}

std::uint64_t unsigned_in_range(std::uint64_t low, std::uint64_t high) {
    return *rc::gen::inRange(low, high);
}

std::size_t index(std::size_t size) {
    if (size == 0)
        throw rc::GenerationFailure{"no element to draw"};
    return *rc::Gen<std::size_t>{[size](const rc::Random& random, int) {
        return rc::shrinkable::just(static_cast<std::size_t>(rc::Random{random}.next() % size));
    }};
}

bool boolean() {
    return *rc::gen::arbitrary<bool>();
}

std::uint64_t bits() {
    return *rc::gen::arbitrary<std::uint64_t>();
}

std::string text(std::string_view alphabet) {
    return *rc::gen::container<std::string>(rc::gen::elementOf(std::string{alphabet}));
}

} // namespace drawn
} // namespace bursar
