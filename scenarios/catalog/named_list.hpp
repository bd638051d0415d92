#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/catalog/unique_names.hpp"
#include "scenarios/document/load_document.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/table.hpp"

namespace bursar {

/// The entry of that name, or null. entries: have a `name`.
template <class T>
const T* find_named(const std::vector<T>& entries, std::string_view name) {
    const auto found = std::ranges::find(entries, name, &T::name);
    return found == entries.end() ? nullptr : &*found;
}

template <class T>
std::vector<std::string> names_of(const std::vector<T>& entries) {
    std::vector<std::string> names;
    for (const T& entry : entries)
        names.push_back(entry.name);
    return names;
}

/// Reads a catalogue that is one list of named entries: the key `list` of the mapping `root`.
/// Throws ScenarioError with every mistake in it.
template <class T>
std::vector<T>
read_named_list(const Node& root, Findings& findings, const std::string& list, Table<T> keys) {
    struct File {
        std::vector<T> entries;
    };
    findings.throw_if_any();
    const Reader at{root, findings};
    File file;
    table<File>({required(list, &File::entries, list_of(std::move(keys)), "its entries")})
        .read_into(at, file);
    if (root.kind == NodeKind::mapping)
        UniqueNames{}.claim_names(at, list);
    findings.throw_if_any();
    return std::move(file.entries);
}

/// The same of the file `path`.
template <class T>
std::vector<T> read_named_file(const std::string& path, const std::string& list, Table<T> keys) {
    Findings findings;
    const Node root = DocumentLoader{findings}.load_file(path);
    return read_named_list(root, findings, list, std::move(keys));
}

/// The same of a text that messages call `file`.
template <class T>
std::vector<T> read_named_text(std::string_view text,
                               const std::string& file,
                               const std::string& list,
                               Table<T> keys) {
    Findings findings;
    const Node root = DocumentLoader{findings}.load_text(text, file);
    return read_named_list(root, findings, list, std::move(keys));
}

} // namespace bursar
