#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

/// Reads another source on a separate thread, a few blocks ahead, so that unpacking and parsing
/// overlap. Bytes and errors are those of the other source, in their order.
class ReadAheadSource final : public ByteSource {
  public:
    explicit ReadAheadSource(std::unique_ptr<ByteSource> bytes);

    std::size_t read(std::span<char> into) override;
    [[nodiscard]] bool is_unpacked() const override { return is_unpacked_; }

  private:
    static constexpr std::size_t num_blocks = 4;
    static constexpr std::size_t block_size = 128 * 1024;

    void fill_blocks(const std::stop_token& stop);

    std::unique_ptr<ByteSource> bytes_;
    bool is_unpacked_;                           // what bytes_ says: the thread uses it
    std::array<std::string, num_blocks> blocks_; // block i % num_blocks holds the i-th block read
    std::size_t used_{};                         // bytes used of block number num_taken_

    std::mutex mutex_;
    std::condition_variable_any changed_;
    // Guarded by mutex_; a block belongs to the thread until it is counted as filled.
    std::size_t num_filled_{};
    std::size_t num_taken_{};
    bool at_end_{};
    std::exception_ptr error_;

    std::jthread thread_; // last, so that it ends before the members that it uses
};

}} // namespace bursar::scenarios
