#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace bursar { inline namespace reports {

/// Folders of one directory that are written in full and then renamed to their places together.
/// Meanwhile they are in a hidden folder there, which the destructor removes with its content.
/// Leftovers of killed processes are removed first. Every failure is a ReportError.
class PendingFolders {
  public:
    /// Makes the directory where it does not exist.
    explicit PendingFolders(std::filesystem::path directory);
    ~PendingFolders();
    PendingFolders(const PendingFolders&) = delete;
    PendingFolders& operator=(const PendingFolders&) = delete;

    /// Where to write the folder of this name.
    [[nodiscard]] std::filesystem::path path_of(const std::string& name) const {
        return hidden_ / name;
    }

    /// Puts all of these folders in their places or, where one fails, none. Old folders are
    /// removed.
    void put_in_places(std::span<const std::string> names);

  private:
    struct Taken {
        std::filesystem::path from;
        std::filesystem::path place;
        std::filesystem::path aside; ///< where the old folder may be; empty: there was none
        bool is_swapped{};           ///< with the old folder
    };

    void make_hidden();
    [[nodiscard]] Taken take(const std::string& name) const;
    static void give_back(const Taken& taken) noexcept;

    std::filesystem::path directory_;
    std::filesystem::path hidden_;
    int descriptor_{-1}; ///< of the hidden folder, which it claims
};

}} // namespace bursar::reports
