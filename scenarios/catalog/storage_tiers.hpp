#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/storage/checkpoint_storage.hpp"

namespace bursar { inline namespace scenarios {

/// The classes of storage a command may name; the first is the default.
struct StorageTiers {
    std::vector<StorageTier> all; ///< in the order of the file

    [[nodiscard]] const StorageTier* find(std::string_view name) const; ///< null: none
    [[nodiscard]] std::vector<std::string> names() const;
};

/// Built into the program: scenarios/catalog/storage.yaml.
const StorageTiers& builtin_storage_tiers();

/// A file of the user's own; same layout. Throws ScenarioError with every mistake in it.
StorageTiers read_storage_tiers(const std::string& path);

/// The same for a text; messages name `file`.
StorageTiers read_storage_tiers_text(std::string_view text, const std::string& file);

}} // namespace bursar::scenarios
