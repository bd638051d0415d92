#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace bursar::test {

/// The 32 lanes of a warp on one thread. They run one function and wait for each other at barriers;
/// between barriers they run one by one, in an order that is drawn each time. Some order reveals
/// data that one lane writes and another reads without a barrier in between.
class WarpFibers {
  public:
    static constexpr std::uint32_t num_lanes = 32;

    /// seed: of the orders.
    explicit WarpFibers(std::uint64_t seed);
    ~WarpFibers();
    WarpFibers(const WarpFibers&) = delete;
    WarpFibers& operator=(const WarpFibers&) = delete;

    /// Runs body(lane) on every lane. Throws std::logic_error if they diverge: some wait at one
    /// place, others at another, or have ended. Rethrows the exception of the lowest lane that
    /// throws.
    void run(const std::function<void(std::uint32_t lane)>& body);

    /// A barrier: waits for all others, which must name the same place. Called by lanes inside
    /// run(). Throws if they do not, so that the lane ends.
    void meet(std::uint32_t lane, const char* place);

  private:
    struct Lanes;
    std::unique_ptr<Lanes> lanes_;
};

} // namespace bursar::test
