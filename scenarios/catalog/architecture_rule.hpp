#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/document/load_document.hpp"
#include "scenarios/reader/reader.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {

/// Whether a text that is no known name is a file name: it has a folder or ends in .yaml or .yml.
[[nodiscard]] constexpr bool names_a_file(std::string_view text) {
    return text.find('/') != std::string_view::npos || text.ends_with(".yaml") ||
           text.ends_with(".yml");
}

/// An entry of a catalogue: by its name in the run's catalogue, or the only entry of a file with
/// the same layout. Known: has `all`, find() and names().
template <class Known>
struct EntryRule {
    using value_type = typename decltype(Known::all)::value_type;

    const Known* known{}; ///< outlives the rule
    Known (*read_known)(const std::string& path){};
    std::string_view option; ///< of the command line; takes files with several entries

    [[nodiscard]] std::optional<value_type> read(const Reader& at) const {
        const Node& node = at.node();
        if (node.kind == NodeKind::scalar && names_a_file(node.text) &&
            known->find(node.text) == nullptr)
            return from_file(at);
        const std::optional<std::string> name = one_of(known->names()).read(at);
        return name ? std::optional<value_type>{*known->find(*name)} : std::nullopt;
    }

    [[nodiscard]] Schema schema() const {
        return {
            {"anyOf",
             {one_of(known->names()).schema(), {{"type", "string"}, {"pattern", "/|\\.ya?ml$"}}}}};
    }

  private:
    [[nodiscard]] std::optional<value_type> from_file(const Reader& at) const {
        const std::optional<std::string> path = file().read(at);
        if (!path)
            return std::nullopt;
        try {
            Known own = read_known(*path);
            const DocumentFacts facts = document_facts(*path);
            at.names_content(facts.hash);
            for (const std::string& included : facts.files)
                at.names_file(included);
            if (own.all.size() == 1)
                return std::move(own.all.front());
            return at.mistake(fmt::format("the file has {} entries", own.all.size()),
                              fmt::format("{}", fmt::join(own.names(), ", ")),
                              fmt::format("{} FILE, and the name of one here", option));
        } catch (const ScenarioError& error) {
            return at.mistakes_in_file(error);
        }
    }
};

/// The network to train: an entry of the catalogue by its name, the only entry of a file, or a
/// mapping with the keys of architectures.yaml. A mapping with flops_per_sample is a generic
/// network, any other a transformer.
struct ArchitectureRule {
    using value_type = Architecture;

    const Architectures* known{}; ///< outlives the rule

    [[nodiscard]] std::optional<Architecture> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

}} // namespace bursar::scenarios
