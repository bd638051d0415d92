#pragma once

#include "models/units/units.hpp"

/// Physical quantities of the training models: doubles with their unit as a type, so that a formula
/// whose dimensions do not fit does not compile. SI base units throughout: seconds, bytes, FLOP,
/// joules.
namespace bursar { inline namespace models {

using Seconds = Quantity<struct SecondTag, double>;        ///< a modelled span of time
using ByteVolume = Quantity<struct VolumeByteTag, double>; ///< bytes moved or held; may be a mean
using Energy = Quantity<struct JouleTag, double>;

inline constexpr double bytes_per_gb = 1e9;
inline constexpr double bytes_per_gib = 1024.0 * 1024.0 * 1024.0;
inline constexpr double joules_per_kwh = 3.6e6;
inline constexpr double seconds_per_hour = 3600.0;
inline constexpr double seconds_per_day = 86400.0;

/// A count as a formula reads it. Exact below 2^53.
BURSAR_HD constexpr double real(std::int64_t count) {
    return static_cast<double>(count);
}

/// Time to do `work` at `rate`. rate: > 0.
BURSAR_HD constexpr Seconds operator/(Flops work, FlopRate rate) {
    return Seconds{work.count() / rate.count()};
}

/// Time to move `volume` at `rate`. rate: > 0.
BURSAR_HD constexpr Seconds operator/(ByteVolume volume, ByteRate rate) {
    return Seconds{volume.count() / rate.count()};
}

BURSAR_HD constexpr Flops operator*(FlopRate rate, Seconds time) {
    return Flops{rate.count() * time.count()};
}

BURSAR_HD constexpr ByteVolume operator*(ByteRate rate, Seconds time) {
    return ByteVolume{rate.count() * time.count()};
}

BURSAR_HD constexpr Energy operator*(Power power, Seconds time) {
    return Energy{power.count() * time.count()};
}

/// How many times `part` goes into `whole`; part: not 0.
template <class Tag>
BURSAR_HD constexpr double operator/(Quantity<Tag, double> whole, Quantity<Tag, double> part) {
    return whole.count() / part.count();
}

/// A share of a quantity. divisor: not 0.
template <class Tag>
BURSAR_HD constexpr Quantity<Tag, double> operator/(Quantity<Tag, double> whole, double divisor) {
    return Quantity<Tag, double>{whole.count() / divisor};
}

BURSAR_HD constexpr ByteVolume volume_of(Bytes bytes) {
    return ByteVolume{static_cast<double>(bytes.count())};
}

}} // namespace bursar::models
