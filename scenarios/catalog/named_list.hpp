#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace bursar {

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

} // namespace bursar
