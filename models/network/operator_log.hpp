#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// Which operators of a calculation were looked up in measurements, and which ones were computed.
/// Not safe for several threads.
class OperatorLog {
  public:
    struct Entry {
        Seconds time{};     ///< of one call; 0: computed by its formula
        std::string source; ///< where the time comes from, or why it was computed
        std::int64_t calls{};
    };

    void add(const std::string& operation, Seconds time, std::string source) {
        Entry& entry = entries_[operation];
        entry.time = time;
        entry.source = std::move(source);
        ++entry.calls;
    }

    /// By operator: "matmul 8192 x 4096 x 1024".
    [[nodiscard]] const std::map<std::string, Entry>& entries() const { return entries_; }

  private:
    std::map<std::string, Entry> entries_;
};

}} // namespace bursar::models
