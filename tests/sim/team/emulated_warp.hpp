#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tests/sim/team/warp_fibers.hpp"

namespace bursar::test {

/// The device's team (sim/team/warp_team.cuh) on one host thread: 32 lanes, each with the whole
/// body of the engine and its own stack. They share the run's memory and synchronise where a warp
/// does. Faults of a body show as a wrong result or std::logic_error: writes outside of for_each
/// and once, reads of what another lane writes, and diverging lanes.
class EmulatedWarp {
  public:
    static constexpr std::uint32_t num_lanes = WarpFibers::num_lanes;

    EmulatedWarp() = default; ///< can only be launched

    /// Runs body(team) on all lanes of a warp, until each has ended.
    template <class Body>
    void launch(const Body& body) const {
        WarpFibers fibers{seed};
        Board board;
        fibers.run([&](std::uint32_t lane) { body(EmulatedWarp{fibers, board, lane}); });
    }

    template <class T, class Value>
    [[nodiscard]] T minimum(std::uint32_t n, Value value, T none) const {
        T least = none;
        for (std::uint32_t i = lane_; i < n; i += num_lanes) {
            const T candidate = value(i);
            if (candidate < least)
                least = candidate;
        }
        meet("minimum");
        for (std::uint32_t distance = num_lanes / 2; distance > 0; distance /= 2) {
            const T other = exchange(least, distance);
            if (other < least)
                least = other;
        }
        return least;
    }
    template <class Test>
    [[nodiscard]] std::uint32_t first(std::uint32_t n, Test test) const {
        meet("first");
        for (std::uint32_t begin = 0; begin < n; begin += num_lanes) {
            const std::uint32_t i = begin + lane_;
            board_->passed[lane_] = i < n && test(i);
            meet("the vote of first");
            std::uint32_t found = 0;
            while (found < num_lanes && !board_->passed[found])
                ++found;
            meet("the end of the vote");
            if (found < num_lanes)
                return begin + found;
        }
        return n;
    }
    template <class Act>
    void for_each(std::uint32_t n, Act act) const {
        meet("for_each");
        for (std::uint32_t i = lane_; i < n; i += num_lanes)
            act(i);
        meet("the end of for_each");
    }
    template <class Act>
    void once(Act act) const {
        meet("once");
        if (lane_ == 0)
            act();
        meet("the end of once");
    }

  private:
    static constexpr std::uint64_t seed = 20'261'123;
    static constexpr std::size_t max_value_bytes = 64;

    /// Values that lanes exchange.
    struct Board {
        std::array<bool, num_lanes> passed{};
        std::array<std::array<std::byte, max_value_bytes>, num_lanes> values{};
    };

    EmulatedWarp(WarpFibers& fibers, Board& board, std::uint32_t lane)
        : fibers_{&fibers}, board_{&board}, lane_{lane} {}

    void meet(const char* place) const { fibers_->meet(lane_, place); }

    /// `value` of the lane whose number differs from this lane's in bit `distance`.
    template <class T>
    [[nodiscard]] T exchange(const T& value, std::uint32_t distance) const {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0 &&
                      sizeof(T) <= max_value_bytes);
        std::memcpy(board_->values[lane_].data(), &value, sizeof(T));
        meet("an exchange");
        T other = value;
        std::memcpy(&other, board_->values[lane_ ^ distance].data(), sizeof(T));
        meet("the end of an exchange");
        return other;
    }

    WarpFibers* fibers_{};
    Board* board_{};
    std::uint32_t lane_{};
};

} // namespace bursar::test
