#pragma once

#include <set>
#include <string>
#include <string_view>

#include "scenarios/reader/reader.hpp"

namespace bursar { inline namespace scenarios {

/// Names that the entries of a catalogue claim; each may be claimed once.
class UniqueNames {
  public:
    /// Takes the name that stands at `at`, or reports that it is taken. What is no text is left to
    /// the rule that reads it.
    void claim(const Reader& at) {
        if (at.node().kind == NodeKind::scalar && !taken_.insert(at.node().text).second)
            at.mistake("duplicate name", "names and aliases are unique");
    }

    /// Takes the `name` and the `aliases` of every element of the list `list` of the mapping
    /// `parent`, where there is one.
    void claim_names(const Reader& parent, std::string_view list) {
        const std::optional<Reader> entries = parent.find(list);
        for (std::size_t i = 0; entries && i < entries->node().items.size(); ++i) {
            const Reader entry = entries->element(i);
            if (const auto name = entry.find("name"))
                claim(*name);
            const std::optional<Reader> aliases = entry.find("aliases");
            for (std::size_t j = 0; aliases && j < aliases->node().items.size(); ++j)
                claim(aliases->element(j));
        }
    }

  private:
    std::set<std::string, std::less<>> taken_;
};

}} // namespace bursar::scenarios
