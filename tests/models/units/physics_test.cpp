#include <type_traits>

#include <doctest/doctest.h>

#include "models/energy/carbon.hpp"
#include "models/scaling/allocation.hpp"
#include "models/units/physics.hpp"
#include "models/units/units.hpp"

namespace bursar::physics_test {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) { a + b; };
template <class A, class B>
concept Comparable = requires(A a, B b) { a < b; };
template <class A, class B>
concept Multipliable = requires(A a, B b) { a* b; };
template <class A, class B>
concept Divisible = requires(A a, B b) { a / b; };

// Every quantity adds to and compares with its own kind; no two kinds mix, nor one with a number.
template <class Quantity, class... Others>
constexpr bool stands_alone =
    Addable<Quantity, Quantity> && Comparable<Quantity, Quantity> && !Addable<Quantity, double> &&
    !Comparable<Quantity, double> && !std::is_convertible_v<Quantity, double> &&
    !std::is_convertible_v<double, Quantity> && !(Addable<Quantity, Others> || ...) &&
    !(Comparable<Quantity, Others> || ...);

static_assert(stands_alone<Seconds, ByteVolume, Flops, Energy, Duration, ByteRate, FlopRate>);
static_assert(stands_alone<ByteVolume, Flops, Energy, Bytes, ByteRate, Tokens, Parameters>);
static_assert(stands_alone<Flops, FlopRate, Energy, Tokens, Parameters>);
static_assert(stands_alone<FlopRate, ByteRate, Power>);
static_assert(stands_alone<ByteRate, Power, Bytes>);
static_assert(stands_alone<Energy, Power, CarbonMass, Money>);
static_assert(stands_alone<CarbonMass, CarbonIntensity, Power>);
static_assert(stands_alone<Tokens, Parameters>);

// Products and quotients in formulas have the dimension of the result.
static_assert(std::is_same_v<decltype(Flops{} / FlopRate{1}), Seconds>);
static_assert(std::is_same_v<decltype(ByteVolume{} / ByteRate{1}), Seconds>);
static_assert(std::is_same_v<decltype(FlopRate{} * Seconds{}), Flops>);
static_assert(std::is_same_v<decltype(ByteRate{} * Seconds{}), ByteVolume>);
static_assert(std::is_same_v<decltype(Power{} * Seconds{}), Energy>);
static_assert(std::is_same_v<decltype(Energy{} * CarbonIntensity{}), CarbonMass>);
static_assert(std::is_same_v<decltype(Seconds{} / Seconds{1}), double>);

// Meaningless operations do not compile.
static_assert(!Divisible<ByteVolume, FlopRate>);
static_assert(!Divisible<Flops, ByteRate>);
static_assert(!Divisible<Flops, Seconds>, "rates are facts, not outcomes");
static_assert(!Multipliable<Seconds, Seconds>);
static_assert(!Multipliable<ByteRate, FlopRate>);
static_assert(!Multipliable<Power, CarbonIntensity>);

} // namespace

TEST_CASE("quantities come out in SI base units") {
    CHECK(Flops{6e18} / FlopRate{3e14} == Seconds{2e4});
    CHECK(ByteVolume{28e9} / ByteRate{300e9} == Seconds{28.0 / 300});
    CHECK(Power{400} * Seconds{seconds_per_hour} == Energy{0.4 * joules_per_kwh});
    CHECK(Energy{10 * joules_per_kwh} * CarbonIntensity{57} == CarbonMass{570});
}

} // namespace bursar::physics_test
