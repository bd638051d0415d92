#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bursar { inline namespace tools {

/// A file that grows row by row while a batch is made, and is sorted at the end. Until then it is
/// FILE.part: rows in it survive a failure of a device or the machine. A pipe or a device, and
/// standard output (no name), are written at the end only.
///
/// All members throw std::system_error for errors of the system.
class OutcomeFile {
  public:
    /// path: empty for standard output.
    explicit OutcomeFile(const std::string& path);
    ~OutcomeFile();
    OutcomeFile(const OutcomeFile&) = delete;
    OutcomeFile& operator=(const OutcomeFile&) = delete;

    void add(const std::string& row);
    /// Writes the final rows, replacing those that were added.
    void finish(const std::vector<std::string>& rows);

  private:
    std::string path_;
    int descriptor_{-1}; ///< of FILE.part
};

/// Writes a whole file, or leaves the existing file unchanged.
void write_whole_file(const std::string& path, const std::string& text);

/// Writes to standard output; a terminal gets bytes that could drive it as \xNN. Throws
/// std::system_error.
void write_standard_output(const std::string& text);

/// Writes a line to stderr, with bytes that could drive a terminal as \xNN.
void write_error_line(const std::string& line);

}} // namespace bursar::tools
