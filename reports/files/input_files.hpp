#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "reports/errors/report_error.hpp"

namespace bursar { inline namespace reports {

/// An output would replace a file that the command reads.
class OutputIsInput : public ReportError {
  public:
    using ReportError::ReportError;
};

/// The files that a command reads. Every writer of files refuses to replace one of them.
class InputFiles {
  public:
    InputFiles() = default; ///< nothing was read
    explicit InputFiles(std::span<const std::string> files) { add_all(files); }

    /// A file, or a folder for the files in it. Empty names and missing files are ignored.
    void add(const std::filesystem::path& path);
    void add_all(std::span<const std::string> files);

    /// Whether `place` is one of the files, by device and inode, so that links and other spellings
    /// of a name are recognised.
    [[nodiscard]] bool has(const std::filesystem::path& place) const;

    /// Throws OutputIsInput if it is.
    void refuse(const std::filesystem::path& place) const;

  private:
    [[nodiscard]] const std::filesystem::path* find(const std::filesystem::path& place) const;

    std::vector<std::filesystem::path> files_;
};

}} // namespace bursar::reports
