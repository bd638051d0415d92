#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/catalog/architectures.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// The options that say which network is trained: --model of the catalogue, or the shape of a
/// transformer of the user's own.
class ShapeOptions {
  public:
    void add_to(Command command);

    /// Throws ScenarioError for an unknown name or a bad file, ModelError for a shape that cannot
    /// be. A transformer has the sequence length of --seq, where that is given.
    [[nodiscard]] Architecture architecture() const;

    /// The same where only a transformer will do; else throws ModelError.
    [[nodiscard]] Transformer transformer() const;

    /// Where its shape was published; "the command line" for a shape of the user's own.
    [[nodiscard]] std::string source() const;

  private:
    [[nodiscard]] Architectures known() const;
    [[nodiscard]] const Architecture& named(const Architectures& architectures) const;
    [[nodiscard]] Transformer own_shape() const;

    std::string model_;
    std::string file_; ///< --architectures; empty: built in
    std::optional<std::int64_t> layers_;
    std::optional<std::int64_t> hidden_;
    std::optional<std::int64_t> ffn_;
    std::optional<std::int64_t> heads_;
    std::optional<std::int64_t> kv_heads_;
    std::optional<std::int64_t> vocab_;
    std::optional<std::int64_t> sequence_;
    std::optional<std::int64_t> experts_;
    std::optional<std::int64_t> experts_per_token_;
    bool gated_{};
};

}} // namespace bursar::tools
