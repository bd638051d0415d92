#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

/// The units of bursar. Simulated time, GPU time and money are integers, so equal runs are equal to
/// the last digit and sums do not depend on their order.
namespace bursar { inline namespace models {

/// A number with its unit as a type: quantities of one unit add, compare and scale by plain
/// numbers; two units never mix unless a named or obvious operator says how.
///
/// Construction from a number is explicit; `.count()` returns it. Use both at the edges only.
template <class Tag, class Rep>
class Quantity {
  public:
    using rep = Rep;

    constexpr Quantity() = default;
    BURSAR_HD constexpr explicit Quantity(Rep count) : count_{count} {}

    [[nodiscard]] BURSAR_HD constexpr Rep count() const { return count_; }

    // Written out, because operator<=> uses std::strong_ordering, which is host code for nvcc.
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

/// A span of simulated time, or an instant as the span since the scenario's zero; milliseconds.
using Duration = Quantity<struct MillisecondTag, std::int64_t>;

/// Time held on slots: 1 GPU = `slots_per_gpu` slots; slot-milliseconds, exact.
using SlotTime = Quantity<struct SlotMillisecondTag, int128>;

/// A price: nano-dollars per GPU-hour.
using MoneyRate = Quantity<struct NanoUsdPerGpuHourTag, std::int64_t>;

/// Exact money: nano-dollars per GPU-hour times slot-milliseconds. Divided once, when printed.
using Money = Quantity<struct NanoUsdSlotMsPerHourTag, int128>;

using Bytes = Quantity<struct ByteTag, std::int64_t>;
using Flops = Quantity<struct FlopTag, double>;             ///< floating-point operations
using FlopRate = Quantity<struct FlopPerSecondTag, double>; ///< FLOP/s
using ByteRate = Quantity<struct BytePerSecondTag, double>; ///< B/s, one direction
using Power = Quantity<struct WattTag, double>;

inline constexpr Duration millisecond{1};
inline constexpr Duration second{1'000};
inline constexpr Duration minute{60'000};
inline constexpr Duration hour{3'600'000};
inline constexpr Duration day{86'400'000};
/// 365 days. Contracts and depreciation are quoted in years of this length.
inline constexpr Duration year{365 * day.count()};

/// Slots in one GPU: the resolution of shares of a GPU.
inline constexpr std::int64_t slots_per_gpu = 1000;

/// Slot-milliseconds in one GPU-hour (3.6e9), the divisor from SlotTime to GPU-hours.
inline constexpr std::int64_t slot_ms_per_gpu_hour = slots_per_gpu * hour.count();

inline constexpr std::int64_t nano_usd_per_usd = 1'000'000'000;

/// `slots` slots held for `held`; exact.
BURSAR_HD constexpr SlotTime slot_time(std::int64_t slots, Duration held) {
    return SlotTime{int128{slots} * held.count()};
}

/// Price of holding `time` at `rate`; exact, no rounding.
BURSAR_HD constexpr Money operator*(MoneyRate rate, SlotTime time) {
    return Money{time.count() * rate.count()};
}

/// How often `part` fits into `whole`, e.g. `t / hour`; whole intervals only, truncated toward
/// zero.
BURSAR_HD constexpr std::int64_t operator/(Duration whole, Duration part) {
    return whole.count() / part.count();
}

}} // namespace bursar::models
