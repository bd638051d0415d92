#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace scenarios {

/// Distinct names, numbered in the order of first use. Open addressing: each row of a trace costs
/// about one hash and one comparison.
class NameTable {
  public:
    static constexpr std::size_t max_names = 65'536;

    NameTable();

    /// The number of `name`, which is added if new; absent if there are `max_names` others.
    std::optional<std::uint16_t> number_of(std::string_view name);

    [[nodiscard]] std::size_t size() const { return names_.size(); }
    /// The names by number; the table is empty afterwards.
    std::vector<std::string> take();

  private:
    struct Slot {
        std::uint64_t hash{};
        std::uint32_t number_plus_one{}; // 0: free
    };
    void grow();

    std::vector<Slot> slots_;
    std::vector<std::string> names_;
};

}} // namespace bursar::scenarios
