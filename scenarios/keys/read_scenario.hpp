#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/document/findings.hpp"
#include "scenarios/document/node.hpp"
#include "scenarios/document/override.hpp"
#include "scenarios/keys/price/currencies.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/known_names.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// A parsed scenario file with its includes. All variants share one and override its values, so
/// files are parsed once.
struct ScenarioDocument {
    Node root;
    std::string file;  ///< its name in messages
    Findings findings; ///< mistakes of the parse, and the files that were read
};

/// Mistakes are kept in `findings` and thrown when the scenario is read.
ScenarioDocument load_scenario_document(const std::string& path);

/// The same of a text, as if `file` held it.
ScenarioDocument scenario_document_of(std::string_view text, const std::string& file);

/// Reads scenarios from documents. Making its table of keys takes far longer than reading a small
/// scenario: keep one for all variants.
class ScenarioReader {
  public:
    /// catalogue: outlives it.
    ScenarioReader(KnownNames names, const Catalogue& catalogue);
    ScenarioReader(const ScenarioReader&) = delete;
    ScenarioReader& operator=(const ScenarioReader&) = delete;

    /// The scenario of a document with the overrides `sets`. Not thread-safe. Throws ScenarioError
    /// with every mistake that could be found, in reading order.
    [[nodiscard]] Scenario read(const ScenarioDocument& document,
                                std::span<const Override> sets) const;

  private:
    KnownNames names_;                     ///< used by the table
    std::shared_ptr<const Stacks> stacks_; ///< of known_names, as a shared pointer for scenarios
    PriceContext prices_;
    Table<Scenario> keys_;
};

/// The scenario of a file with its includes and the overrides `sets`.
///
/// Throws ScenarioError with every mistake that could be found, in reading order. In a file that is
/// no YAML document or cannot be read, other mistakes are not found.
Scenario read_scenario(const std::string& path,
                       std::span<const Override> sets,
                       const KnownNames& names,
                       const Catalogue& catalogue);

/// The same of a text, as if `file` held it.
Scenario read_scenario_text(std::string_view text,
                            const std::string& file,
                            std::span<const Override> sets,
                            const KnownNames& names,
                            const Catalogue& catalogue);

}} // namespace bursar::scenarios
