#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "scenarios/document/load_document.hpp"
#include "scenarios/reader/table.hpp"

namespace bursar { inline namespace scenarios {

/// How a file of the catalogue is read: by its keys and by what holds between its entries.
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

    /// The same of a text that messages call `file`.
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

}} // namespace bursar::scenarios
