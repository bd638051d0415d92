#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/catalog/unique_names.hpp"
#include "scenarios/reader/list_rules.hpp"

namespace bursar { inline namespace scenarios {

/// The entry of that name, or null. Entries have a `name`.
template <class T>
const T* find_named(const std::vector<T>& entries, std::string_view name) {
    const auto found = std::ranges::find(entries, name, &T::name);
    return found == entries.end() ? nullptr : &*found;
}

/// In the order of the entries.
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
                {required(list, &NamedList::entries, list_of(std::move(keys)), "its entries")}),
            [list](const Reader& root) { UniqueNames{}.claim_names(root, list); }};
    }
};

/// The entries of the file `path`. Throws ScenarioError with every mistake in it.
template <class T>
std::vector<T> read_named_file(const std::string& path, const std::string& list, Table<T> keys) {
    return NamedList<T>::file(list, std::move(keys)).read(path).entries;
}

/// The same of a text that messages call `file`.
template <class T>
std::vector<T> read_named_text(std::string_view text,
                               const std::string& file,
                               const std::string& list,
                               Table<T> keys) {
    return NamedList<T>::file(list, std::move(keys)).read_text(text, file).entries;
}

}} // namespace bursar::scenarios
