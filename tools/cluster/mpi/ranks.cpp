#include "tools/cluster/mpi/ranks.hpp"

#include <chrono>

#include <mpi.h>

namespace bursar { inline namespace tools {

Ranks::Ranks(int& argc, char**& argv) {
    int provided{};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &own_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
}

Ranks::~Ranks() {
    MPI_Finalize();
}

int Ranks::largest(int value) const {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return value;
}

double Ranks::sum(double value) const {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return value;
}

struct SharedCounter::Window {
    MPI_Win handle{};
    std::uint64_t* number{}; ///< in memory of the first rank
};

SharedCounter::SharedCounter(const Ranks& ranks) : window_{std::make_unique<Window>()} {
    const MPI_Aint size = ranks.is_first() ? sizeof(std::uint64_t) : 0;
    MPI_Win_allocate(size,
                     sizeof(std::uint64_t),
                     MPI_INFO_NULL,
                     MPI_COMM_WORLD,
                     static_cast<void*>(&window_->number),
                     &window_->handle);
    if (ranks.is_first()) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window_->handle);
        *window_->number = 0;
        MPI_Win_unlock(0, window_->handle);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window_->handle);
    if (ranks.is_first())
        server_ = std::thread{[this] { serve(); }};
}

SharedCounter::~SharedCounter() {
    over_ = true;
    if (server_.joinable())
        server_.join();
    MPI_Win_unlock_all(window_->handle);
    MPI_Win_free(&window_->handle); // waits for all ranks, and serves them until then
}

std::uint64_t SharedCounter::next() {
    const std::uint64_t one = 1;
    std::uint64_t before{};
    const std::lock_guard lock{mpi_};
    MPI_Fetch_and_op(&one, &before, MPI_UINT64_T, 0, 0, MPI_SUM, window_->handle);
    MPI_Win_flush(0, window_->handle);
    return before;
}

/// If the network cannot access memory without help, a rank that simulates would keep the others
/// waiting. This thread serves their accesses, a thousand times a second.
void SharedCounter::serve() {
    while (!over_) {
        {
            const std::lock_guard lock{mpi_};
            int found{};
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
}

}} // namespace bursar::tools
