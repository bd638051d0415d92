#include "scenarios/traces/bytes/read_ahead_source.hpp"

#include <utility>

namespace bursar { inline namespace scenarios {

ReadAheadSource::ReadAheadSource(std::unique_ptr<ByteSource> bytes)
    : bytes_{std::move(bytes)}, is_unpacked_{bytes_->is_unpacked()},
      thread_{[this](const std::stop_token& stop) { fill_blocks(stop); }} {}

void ReadAheadSource::fill_blocks(const std::stop_token& stop) {
    for (std::size_t next = 0;; ++next) {
        {
            std::unique_lock lock{mutex_};
            const auto has_room = [&] { return next - num_taken_ < num_blocks; };
            if (!changed_.wait(lock, stop, has_room))
                return;
        }
        std::string& block = blocks_[next % num_blocks];
        std::exception_ptr error;
        try {
            block.resize(block_size);
            block.resize(read_fully(*bytes_, block));
        } catch (...) {
            error = std::current_exception();
        }
        const std::lock_guard lock{mutex_};
        changed_.notify_all();
        if (error || block.empty()) {
            error_ = error;
            at_end_ = true;
            return;
        }
        ++num_filled_;
    }
}

std::size_t ReadAheadSource::read(std::span<char> into) {
    {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [&] { return num_taken_ < num_filled_ || at_end_; });
        if (num_taken_ == num_filled_) {
            if (error_)
                std::rethrow_exception(error_);
            return 0;
        }
    }
    // only this thread changes num_taken_
    const std::string& block = blocks_[num_taken_ % num_blocks];
    const std::size_t n = block.copy(into.data(), into.size(), used_);
    used_ += n;
    if (used_ == block.size()) {
        used_ = 0;
        const std::lock_guard lock{mutex_};
        ++num_taken_;
        changed_.notify_all();
    }
    return n;
}

}} // namespace bursar::scenarios
