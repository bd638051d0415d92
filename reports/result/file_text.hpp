#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>

namespace bursar { inline namespace reports {

/// The whole text of a file in memory. Parts that were parsed can be released one by one, so that
/// the text and the parsed data are not both in memory at full size.
class FileText {
  public:
    FileText() = default;
    FileText(const FileText&) = delete;
    FileText& operator=(const FileText&) = delete;
    ~FileText();

    /// Reads the file, once. check: called after each piece with the text so far, which is never
    /// empty; it may throw to stop. Throws std::system_error where the file cannot be read, and
    /// std::bad_alloc.
    void read(const std::filesystem::path& path,
              const std::function<void(std::string_view)>& check);

    [[nodiscard]] std::string_view text() const { return {begin_, size_}; }

    /// Frees the whole pages inside `part`, a part of text(), which must not be read again.
    void release(std::string_view part) const;

  private:
    void reserve(std::size_t bytes);

    char* begin_{};
    std::size_t size_{};
    std::size_t capacity_{}; ///< bytes at begin_, whole pages
};

}} // namespace bursar::reports
