#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace bursar { inline namespace tools {

/// The bytes of a file, mapped by the system. If the file is replaced, the mapping keeps the old
/// bytes.
class MappedFile {
  public:
    /// Throws std::system_error where it cannot be read, or is no regular file.
    explicit MappedFile(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

  private:
    std::span<const std::byte> bytes_;
};

}} // namespace bursar::tools
