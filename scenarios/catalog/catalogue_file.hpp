#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/document/load_document.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/reader.hpp"
#include "scenarios/reader/table.hpp"

namespace bursar { inline namespace scenarios {

// The texts of the catalogues of scenarios/catalog as of the build.
extern const std::string_view builtin_gpus_yaml;
extern const std::string_view builtin_links_yaml;
extern const std::string_view builtin_servers_yaml;
extern const std::string_view builtin_architectures_yaml;
extern const std::string_view builtin_stacks_yaml;
extern const std::string_view builtin_step_errors_yaml;
extern const std::string_view builtin_carbon_yaml;
extern const std::string_view builtin_failures_yaml;
extern const std::string_view builtin_speeds_yaml;
extern const std::string_view builtin_storage_yaml;
extern const std::string_view builtin_topologies_yaml;
extern const std::string_view builtin_precision_yaml;
extern const std::string_view builtin_profiles_yaml;

/// Names that the entries of a catalogue claim; each may be claimed once.
class UniqueNames {
  public:
    /// Claims the name at `at`, or reports that it is used already. The rule of the name reports a
    /// value that is no text.
    void claim(const Reader& at) {
        if (at.node().kind == NodeKind::scalar && !taken_.insert(at.node().text).second)
            at.mistake("duplicate name", "names and aliases are unique");
    }

    /// Claims `name` and `aliases` of every element of `parent`'s list `list`, if it has one.
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

/// Reads a file of the catalogue: its keys, then a check across its entries.
/// Reading throws ScenarioError with every mistake in the file.
template <class T>
class CatalogueFile {
  public:
    using Check = std::function<void(const Reader& root)>;

    /// check: called with the root, which is a mapping, after its keys were read.
    explicit CatalogueFile(Table<T> keys, Check check = {})
        : keys_{std::move(keys)}, check_{std::move(check)} {}

    [[nodiscard]] T read(const std::string& path) const {
        Findings findings;
        const Node root = DocumentLoader{findings}.load_file(path);
        return read(root, findings);
    }

    /// The same for a text; messages name `file`.
    [[nodiscard]] T read_text(std::string_view text, const std::string& file) const {
        Findings findings;
        const Node root = DocumentLoader{findings}.load_text(text, file);
        return read(root, findings);
    }

  private:
    T read(const Node& root, Findings& findings) const {
        findings.throw_if_any();
        const Reader at{root, findings};
        T catalogue;
        keys_.read_into(at, catalogue);
        if (check_ && root.kind == NodeKind::mapping)
            check_(at);
        findings.throw_if_any();
        return catalogue;
    }

    Table<T> keys_;
    Check check_;
};

/// The entry of that name, or null. Entries have a `name`.
template <class T>
const T* find_named(const std::vector<T>& entries, std::string_view name) {
    const auto found = std::ranges::find(entries, name, &T::name);
    return found == entries.end() ? nullptr : &*found;
}

/// The names of the entries, in their order.
template <class T>
std::vector<std::string> names_of(const std::vector<T>& entries) {
    std::vector<std::string> names;
    for (const T& entry : entries)
        names.push_back(entry.name);
    return names;
}

/// A catalogue that is one list of named entries under the key `list`.
template <class T>
struct NamedList {
    std::vector<T> entries;

    static CatalogueFile<NamedList> file(const std::string& list, Table<T> keys) {
        return CatalogueFile<NamedList>{
            table<NamedList>(
                {{required(list, &NamedList::entries, list_of(std::move(keys))), "its entries"}}),
            [list](const Reader& root) { UniqueNames{}.claim_names(root, list); }};
    }
};

/// The entries of the file `path`. Throws ScenarioError with every mistake in it.
template <class T>
std::vector<T> read_named_file(const std::string& path, const std::string& list, Table<T> keys) {
    return NamedList<T>::file(list, std::move(keys)).read(path).entries;
}

/// The same for a text; messages name `file`.
template <class T>
std::vector<T> read_named_text(std::string_view text,
                               const std::string& file,
                               const std::string& list,
                               Table<T> keys) {
    return NamedList<T>::file(list, std::move(keys)).read_text(text, file).entries;
}

}} // namespace bursar::scenarios
