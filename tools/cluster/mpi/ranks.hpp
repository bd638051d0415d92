#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

namespace bursar { inline namespace tools {

/// The processes of an MPI run, as one of them sees them. A process makes one of these before any
/// other MPI object and destroys it last. An MPI error ends all ranks, with MPI's message.
class Ranks {
  public:
    Ranks(int& argc, char**& argv);
    ~Ranks();
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    [[nodiscard]] int own() const { return own_; }
    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] bool is_first() const { return own_ == 0; }

    /// The largest `value` of all ranks. All ranks call it, in the same order.
    [[nodiscard]] int largest(int value) const;
    [[nodiscard]] double sum(double value) const;

  private:
    int own_{};
    int count_{};
};

/// A counter that all ranks share: a window of the first rank's memory, which the others access
/// without its help. Made and destroyed by all ranks together.
class SharedCounter {
  public:
    explicit SharedCounter(const Ranks& ranks);
    ~SharedCounter();
    SharedCounter(const SharedCounter&) = delete;
    SharedCounter& operator=(const SharedCounter&) = delete;

    /// 0, 1, 2, ...: each value is returned once, on one rank. Call it from one thread of each
    /// rank.
    [[nodiscard]] std::uint64_t next();

  private:
    void serve();

    struct Window; ///< MPI's handle, defined in the source
    std::unique_ptr<Window> window_;
    std::mutex mpi_; ///< held during calls of MPI
    std::atomic<bool> over_{};
    std::thread server_; ///< of the first rank
};

}} // namespace bursar::tools
