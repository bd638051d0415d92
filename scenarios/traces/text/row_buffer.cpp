#include "scenarios/traces/text/row_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include "scenarios/traces/text/special_bytes.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t first_capacity = 256 * 1024; // fits the second-level cache
constexpr std::size_t line_end = 2;                // a carriage return and a line feed
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::unique_ptr<char[]> allocate(std::size_t capacity) {
    // Room for the line feed of the last line and for one block read past the end. It is zeroed, so
    // that no uninitialised byte is read.
    return std::make_unique<char[]>(capacity + line_end + special_block);
}

} // namespace

RowBuffer::RowBuffer(ByteSource& bytes)
    : bytes_{bytes}, capacity_{first_capacity}, data_{allocate(capacity_)} {
    refill();
    if (std::string_view{begin(), end_}.starts_with(byte_order_mark))
        begin_ = byte_order_mark.size();
}

void RowBuffer::make_room() {
    const std::size_t kept = end_ - begin_;
    if (begin_ > 0) {
        std::memmove(data_.get(), begin(), kept);
    } else if (kept == capacity_) {
        capacity_ = std::min(2 * capacity_, longest_row + line_end);
        std::unique_ptr<char[]> larger = allocate(capacity_);
        std::memcpy(larger.get(), data_.get(), kept);
        data_ = std::move(larger);
    }
    begin_ = 0;
    end_ = kept;
}

RowBuffer::Refill RowBuffer::refill() {
    if (!at_end_) {
        if (end_ - begin_ >= longest_row + line_end)
            return Refill::too_long;
        make_room();
        const std::size_t n = read_fully(bytes_, {data_.get() + end_, capacity_ - end_});
        end_ += n;
        at_end_ = end_ < capacity_;
        if (n > 0)
            return Refill::grown;
    }
    if (fed_ || begin_ == end_)
        return Refill::ended;
    if (end_ - begin_ > longest_row)
        return Refill::too_long;
    data_[end_++] = '\n';
    fed_ = true;
    return Refill::last_line;
}

}} // namespace bursar::scenarios
