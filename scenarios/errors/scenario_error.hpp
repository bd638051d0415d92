#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace bursar { inline namespace scenarios {

/// A place in the user's input. Line and column count from 1; 0 means the whole file.
struct Place {
    // Constructors, not an aggregate: g++ 12 takes `Place{}` inside a larger aggregate for
    // uninitialised at -O3.
    Place() = default;
    // The name of a file is a place, too. NOLINTNEXTLINE(google-explicit-constructor)
    Place(std::string in_file, std::uint64_t at_line = 0, std::uint64_t at_column = 0)
        : file{std::move(in_file)}, line{at_line}, column{at_column} {}

    std::string file;
    std::uint64_t line{};
    std::uint64_t column{};

    bool operator==(const Place&) const = default;
};

/// One mistake or warning: `file:line:column: path: problem (why); suggestion`.
/// `path`, `why` and `suggestion` may be empty and are then left out with their punctuation. The
/// text is one line: control characters are written as \xNN.
struct Finding {
    Place place;
    std::string path;
    std::string problem;
    std::string why;
    std::string suggestion;

    [[nodiscard]] std::string text() const;
};

/// A message lists at most this many mistakes, and the number of further ones.
inline constexpr std::size_t max_shown_findings = 20;

/// The user's input is wrong. Holds every mistake that was found, in input order; never empty.
class ScenarioError : public std::exception {
  public:
    explicit ScenarioError(std::vector<Finding> findings);
    explicit ScenarioError(Finding finding);

    [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
    [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

  private:
    std::vector<Finding> findings_;
    std::string text_; ///< the first findings, a line each, and the number of further ones
};

}} // namespace bursar::scenarios
