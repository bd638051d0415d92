#pragma once

#include <set>
#include <string>
#include <string_view>

#include "scenarios/reader/reader.hpp"

namespace bursar {

/// Names that the entries of a catalogue claim; each may be claimed once.
class UniqueNames {
  public:
    /// Takes the name that stands at `at`, or reports that it is taken. What is no text is left to
    /// the rule that reads it.
    void claim(const Reader& at) {
        if (at.node().kind == NodeKind::scalar && !taken_.insert(at.node().text).second)
            at.mistake("the name is taken", "names and aliases are unique");
    }

    /// Takes the `name` of every element of the list `list` of the mapping `root`, where there is
    /// one.
    void claim_names(const Reader& root, std::string_view list) {
        const std::optional<Reader> entries = root.find(list);
        for (std::size_t i = 0; entries && i < entries->node().items.size(); ++i)
            if (const auto name = entries->element(i).find("name"))
                claim(*name);
    }

  private:
    std::set<std::string, std::less<>> taken_;
};

} // namespace bursar
