#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

namespace bursar { inline namespace tools {

/// The processes of an MPI run, as one of them sees them. One for a process, made before anything
/// else of MPI and ended last. What fails in MPI ends all ranks, with MPI's words.
class Ranks {
  public:
    Ranks(int& argc, char**& argv);
    ~Ranks();
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    [[nodiscard]] int own() const { return own_; }
    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] bool is_first() const { return own_ == 0; }

    /// Of what each rank says. All ranks call it, in the same order.
    [[nodiscard]] int largest(int value) const;
    [[nodiscard]] double sum(double value) const;

  private:
    int own_{};
    int count_{};
};

/// A number that all ranks count up: a window of the first rank's memory, which the others reach
/// into without its doing anything. Made and ended by all ranks together.
class SharedCounter {
  public:
    explicit SharedCounter(const Ranks& ranks);
    ~SharedCounter();
    SharedCounter(const SharedCounter&) = delete;
    SharedCounter& operator=(const SharedCounter&) = delete;

    /// 0, 1, 2, ...: each is given once, to one rank. By one thread of each.
    [[nodiscard]] std::uint64_t next();

  private:
    void serve();

    struct Window; ///< MPI's handle, which only the source knows
    std::unique_ptr<Window> window_;
    std::mutex mpi_; ///< who calls MPI
    std::atomic<bool> over_{};
    std::thread server_; ///< of the first rank
};

}} // namespace bursar::tools
