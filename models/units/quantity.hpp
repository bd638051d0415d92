#pragma once

#include "models/units/host_device.hpp"

namespace bursar { inline namespace models {

/// A number with its unit as a type: quantities of one unit add, compare and scale by plain
/// numbers; two units never mix unless a named or obvious operator says how.
///
/// Construction from a number is explicit and `.count()` gives it back, at the edges only.
template <class Tag, class Rep>
class Quantity {
  public:
    using rep = Rep;

    constexpr Quantity() = default;
    BURSAR_HD constexpr explicit Quantity(Rep count) : count_{count} {}

    [[nodiscard]] BURSAR_HD constexpr Rep count() const { return count_; }

    // Spelled out: what <=> rewrites to calls std::strong_ordering, which is host code to nvcc.
    friend BURSAR_HD constexpr bool operator==(Quantity a, Quantity b) {
        return a.count_ == b.count_;
    }
    friend BURSAR_HD constexpr bool operator<(Quantity a, Quantity b) {
        return a.count_ < b.count_;
    }
    friend BURSAR_HD constexpr bool operator>(Quantity a, Quantity b) { return b < a; }
    friend BURSAR_HD constexpr bool operator<=(Quantity a, Quantity b) { return !(b < a); }
    friend BURSAR_HD constexpr bool operator>=(Quantity a, Quantity b) { return !(a < b); }

    BURSAR_HD constexpr Quantity& operator+=(Quantity other) {
        count_ += other.count_;
        return *this;
    }
    BURSAR_HD constexpr Quantity& operator-=(Quantity other) {
        count_ -= other.count_;
        return *this;
    }
    friend BURSAR_HD constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
    friend BURSAR_HD constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
    friend BURSAR_HD constexpr Quantity operator-(Quantity a) { return Quantity{-a.count_}; }
    friend BURSAR_HD constexpr Quantity operator*(Quantity a, Rep n) {
        return Quantity{a.count_ * n};
    }
    friend BURSAR_HD constexpr Quantity operator*(Rep n, Quantity a) {
        return Quantity{n * a.count_};
    }

  private:
    Rep count_{};
};

}} // namespace bursar::models
