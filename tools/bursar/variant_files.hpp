#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/files/input_files.hpp"
#include "reports/files/pending_folders.hpp"
#include "reports/files/write_outputs.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace tools {

/// The folders of a comparison's variants: in each what `bursar run --out` writes, or what of it is
/// chosen.
class VariantFiles {
  public:
    /// labels: of the variants. directory: of the comparison; empty: nothing is written.
    /// chosen: what is written of each variant.
    VariantFiles(std::filesystem::path directory,
                 const std::vector<std::string>& labels,
                 ChosenOutputs chosen);

    /// Throws where a folder cannot take every one of them or holds anything that is no output, and
    /// where the directory has the folder of another run: before the work, not after it.
    void check(const InputFiles& inputs) const;

    /// Writes the files of a variant, from one thread at a time. Throws as write_outputs.
    void write(std::size_t variant, const Result& result, const InputFiles& inputs);

    /// Puts the folders of all variants, which have been written, in their places. Throws as check.
    void put_in_places(const InputFiles& inputs);

    /// Names of the folders, by variant.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  private:
    std::filesystem::path directory_;
    std::vector<std::string> names_;
    ChosenOutputs chosen_;
    std::optional<PendingFolders> pending_; ///< from the first write on
};

}} // namespace bursar::tools
