#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bursar { inline namespace tools {

/// A file that grows row by row while a batch is made, each row safe once it is there, and is put
/// in order at the end. Until then it is FILE.part: what a device or the machine leaves unfinished
/// has lost no row that was added. A pipe or a device is written at the end alone. Without a name
/// it is standard output, written at the end.
///
/// All throw std::system_error where the system refuses.
class OutcomeFile {
  public:
    /// path: empty for standard output.
    explicit OutcomeFile(const std::string& path);
    ~OutcomeFile();
    OutcomeFile(const OutcomeFile&) = delete;
    OutcomeFile& operator=(const OutcomeFile&) = delete;

    void add(const std::string& row);
    /// Writes the rows, in their order, in place of what has been added.
    void finish(const std::vector<std::string>& rows);

  private:
    std::string path_;
    int descriptor_{-1}; ///< of FILE.part
};

/// Writes a file whole, or leaves the one of that name as it was.
void write_whole_file(const std::string& path, const std::string& text);

}} // namespace bursar::tools
