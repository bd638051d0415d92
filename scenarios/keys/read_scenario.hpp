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

/// A scenario's file as it was parsed, with what it includes: variants lay their own settings over
/// one of these instead of parsing the files anew.
struct ScenarioDocument {
    Node root;
    std::string file;  ///< as messages call it
    Findings findings; ///< mistakes of the parse, and the files that were read
};

/// Mistakes are kept for whoever reads the scenario.
ScenarioDocument load_scenario_document(const std::string& path);

/// The same of a text, as if `file` held it.
ScenarioDocument scenario_document_of(std::string_view text, const std::string& file);

/// Reads scenarios of documents. Its table of keys takes far longer to make than a small scenario
/// takes to read: whoever reads variants keeps one.
class ScenarioReader {
  public:
    /// catalogue: outlives it.
    ScenarioReader(KnownNames names, const Catalogue& catalogue);
    ScenarioReader(const ScenarioReader&) = delete;
    ScenarioReader& operator=(const ScenarioReader&) = delete;

    /// The scenario that a document holds with `sets` laid over it. By one thread at a time. Throws
    /// ScenarioError with every mistake that could be found, in reading order.
    [[nodiscard]] Scenario read(const ScenarioDocument& document,
                                std::span<const Override> sets) const;

  private:
    KnownNames names_;                     ///< which the table reads
    std::shared_ptr<const Stacks> stacks_; ///< of them, as scenarios share it
    PriceContext prices_;
    Table<Scenario> keys_;
};

/// The scenario of a file with what it includes and `sets` laid over it.
///
/// Throws ScenarioError with every mistake that could be found, in reading order. A file that is
/// not a YAML document, or cannot be read, hides the mistakes behind it.
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
