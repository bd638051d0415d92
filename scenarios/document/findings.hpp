#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/document/node.hpp"
#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// Collects every mistake of a pass and returns them in reading order: by file, line, column.
/// Also the files that the pass reads or names, so that outputs do not overwrite them.
class Findings {
  public:
    void add(const Node& where, Finding finding);
    /// Adds the findings of a thrown error about the source of that order.
    void add(std::uint32_t source_order, const ScenarioError& error);

    void add_file(std::string file) { files_.push_back(std::move(file)); }
    [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

    /// Notes the hash of a file whose content decides the result beside the document.
    void add_content(std::uint64_t hash) { contents_.push_back(hash); }
    [[nodiscard]] const std::vector<std::uint64_t>& contents() const { return contents_; }

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] std::vector<Finding> sorted() const;

    /// Throws ScenarioError with all findings, if there are any.
    void throw_if_any() const;

  private:
    struct Entry {
        std::uint32_t source_order{};
        Finding finding;
    };
    std::vector<Entry> entries_;
    std::vector<std::string> files_;
    std::vector<std::uint64_t> contents_;
};

}} // namespace bursar::scenarios
