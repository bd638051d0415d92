#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/document/findings.hpp"
#include "scenarios/document/node.hpp"
#include "scenarios/reader/schema.hpp"

namespace bursar { inline namespace scenarios {

/// One value of a document with its path: rules read it and report mistakes at it.
class Reader {
  public:
    Reader(const Node& node, Findings& findings, std::string path = {})
        : node_{node}, findings_{findings}, path_{std::move(path)} {}

    [[nodiscard]] const Node& node() const { return node_; }
    [[nodiscard]] const std::string& path() const { return path_; }

    /// The value of `key`, if it was written; this node must be a mapping.
    [[nodiscard]] std::optional<Reader> find(std::string_view key) const;
    [[nodiscard]] Reader member(std::string_view key, const Node& value) const;
    /// A Reader of `value` with this one's path. value: outlives it.
    [[nodiscard]] Reader in_place(const Node& value) const { return {value, findings_, path_}; }
    /// Element `index`, addressed in messages by its name if it has one.
    [[nodiscard]] Reader element(std::size_t index) const;

    /// Reports a mistake here. Returns nullopt, for `return at.mistake(...)`.
    // NOLINTNEXTLINE(modernize-use-nodiscard): what counts is the report
    std::nullopt_t
    mistake(std::string problem, std::string why = {}, std::string suggestion = {}) const;

    /// Reports a mistake at the value of `key`; if the key is missing, here under its path.
    void mistake_at(std::string_view key,
                    std::string problem,
                    std::string why = {},
                    std::string suggestion = {}) const;

    /// Reports a value of the wrong kind: `expected a whole number, found a list`.
    // NOLINTNEXTLINE(modernize-use-nodiscard): what counts is the report
    std::nullopt_t expected(std::string_view what, std::string_view why = {}) const;

    /// An unreported finding with this place and path, for a warning.
    [[nodiscard]] Finding
    finding(std::string problem, std::string why = {}, std::string suggestion = {}) const;

    /// Notes that the document names a file.
    void names_file(const std::string& file) const { findings_.add_file(file); }

    /// Notes the hash of such a file, if its content decides the result.
    void names_content(std::uint64_t hash) const { findings_.add_content(hash); }

    /// Reports the mistakes in a file that this value names. If the file cannot be read, the
    /// mistake is here.
    // NOLINTNEXTLINE(modernize-use-nodiscard): what counts is the report
    std::nullopt_t mistakes_in_file(const ScenarioError& error) const;

    /// Mistakes reported so far, anywhere in the document.
    [[nodiscard]] std::size_t num_mistakes() const { return findings_.size(); }

  private:
    const Node& node_;
    Findings& findings_;
    std::string path_;
};

/// A rule for one kind of value. `read` returns the value, or reports a mistake and returns
/// nothing; `schema` is the same rule as draft-07 JSON Schema.
template <class R>
concept ValueRule = requires(const R rule, const Reader& at) {
    typename R::value_type;
    { rule.read(at) } -> std::same_as<std::optional<typename R::value_type>>;
    { rule.schema() } -> std::same_as<Schema>;
};

}} // namespace bursar::scenarios
