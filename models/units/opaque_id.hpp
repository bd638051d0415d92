#pragma once

#include <concepts>
#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace models {

/// An index into an array, with the kind of element as a type. It indexes and counts like a number,
/// but neither a plain number nor an id of another kind converts to it.
///
/// Rep: the stored type; ids of one kind convert between sizes if the number fits.
template <class Tag, class Rep = std::uint32_t>
class OpaqueId {
  public:
    constexpr OpaqueId() = default;
    template <std::integral Number>
    BURSAR_HD constexpr explicit OpaqueId(Number number) : number_{static_cast<Rep>(number)} {}
    template <class OtherRep>
    BURSAR_HD constexpr OpaqueId(OpaqueId<Tag, OtherRep> other)
        : number_{static_cast<Rep>(static_cast<OtherRep>(other))} {}

    BURSAR_HD constexpr operator Rep() const {
        return number_;
    } // to index, to compare with a count

    BURSAR_HD constexpr OpaqueId& operator++() {
        ++number_;
        return *this;
    }

    template <class OtherTag, class OtherRep>
        requires(!std::same_as<Tag, OtherTag>)
    bool operator==(OpaqueId<OtherTag, OtherRep>) const = delete;

  private:
    Rep number_{};
};

}} // namespace bursar::models
