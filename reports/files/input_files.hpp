#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "reports/errors/report_error.hpp"

namespace bursar { inline namespace reports {

/// An output would take the place of a file that the command reads.
class OutputIsInput : public ReportError {
  public:
    using ReportError::ReportError;
};

/// What a command reads, so that none of it is written over. Whatever writes a file asks for it.
class InputFiles {
  public:
    InputFiles() = default; ///< nothing was read
    explicit InputFiles(std::span<const std::string> files) { add_all(files); }

    /// A file, or a folder for the files in it; an empty name and what is not there are passed
    /// over.
    void add(const std::filesystem::path& path);
    void add_all(std::span<const std::string> files);

    /// Whether `place` is one of the files, by device and inode: a link is what it leads to, and a
    /// name written in another way is the same name.
    [[nodiscard]] bool has(const std::filesystem::path& place) const;

    /// Throws OutputIsInput if it is.
    void refuse(const std::filesystem::path& place) const;

  private:
    [[nodiscard]] const std::filesystem::path* find(const std::filesystem::path& place) const;

    std::vector<std::filesystem::path> files_;
};

}} // namespace bursar::reports
