#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>

namespace bursar { inline namespace reports {

/// The whole text of a file in memory, of which what was read can be given back before the rest:
/// what is made of the text then takes the place of it, not a place beside it.
class FileText {
  public:
    FileText() = default;
    FileText(const FileText&) = delete;
    FileText& operator=(const FileText&) = delete;
    ~FileText();

    /// Reads the file, once. check: is shown what was read so far after each piece, never empty; it
    /// throws to stop. Throws std::system_error where the file cannot be read, std::bad_alloc.
    void read(const std::filesystem::path& path,
              const std::function<void(std::string_view)>& check);

    [[nodiscard]] std::string_view text() const { return {begin_, size_}; }

    /// Gives back the memory that holds nothing but `part`, a part of text(), which must not be
    /// looked at again.
    void release(std::string_view part) const;

  private:
    void reserve(std::size_t bytes);

    char* begin_{};
    std::size_t size_{};
    std::size_t room_{}; ///< bytes at begin_, whole pages
};

}} // namespace bursar::reports
