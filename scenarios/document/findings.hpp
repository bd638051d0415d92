#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/document/node.hpp"
#include "scenarios/errors/scenario_error.hpp"

namespace bursar::inline scenarios {

/// Collects every mistake of a pass and gives them back in reading order: by file, line, column.
class Findings {
  public:
    void add(const Node& where, Finding finding);
    /// Takes over what a thrown error says about the source of that order.
    void add(std::uint32_t source_order, const ScenarioError& error);

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] std::vector<Finding> sorted() const;

    /// Throws ScenarioError with all of them if there are any.
    void throw_if_any() const;

  private:
    struct Entry {
        std::uint32_t source_order{};
        Finding finding;
    };
    std::vector<Entry> entries_;
};

} // namespace bursar::inline scenarios
