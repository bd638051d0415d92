#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace bursar::test {

/// The 32 lanes of a warp on one thread. They run one function side by side and wait for each other
/// where it says so; from one meeting to the next each runs by itself, in an order that is drawn
/// anew every time. What a lane writes and another reads without a meeting in between, some order
/// tells.
class WarpFibers {
  public:
    static constexpr std::uint32_t num_lanes = 32;

    /// seed: of the orders.
    explicit WarpFibers(std::uint64_t seed);
    ~WarpFibers();
    WarpFibers(const WarpFibers&) = delete;
    WarpFibers& operator=(const WarpFibers&) = delete;

    /// body(lane) on every lane. Throws std::logic_error where they part: some wait at one place,
    /// others at another, or have ended. What a lane throws is thrown here, the least lane's first.
    void run(const std::function<void(std::uint32_t lane)>& body);

    /// Waits for all others, who must name the same place. By a lane inside run(). Throws where
    /// they do not, so that the lane ends.
    void meet(std::uint32_t lane, const char* place);

  private:
    struct Lanes;
    std::unique_ptr<Lanes> lanes_;
};

} // namespace bursar::test
