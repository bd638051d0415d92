#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "reports/files/input_files.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// A file that is written in full before it is renamed to its place. Meanwhile it has no name
/// (O_TMPFILE), so that an interrupted process leaves nothing. On file systems without such files
/// it has a hidden temporary name beside its place, and the destructor removes it; leftovers of
/// killed processes are removed first. Every failure is a ReportError with the file and the
/// system's text. The order is: put ..., finish(), link(), put_in_place(), discard(). From link()
/// on, signals should be blocked (HeldSignals).
class PendingFile final : public TextSink {
  public:
    /// Throws OutputIsInput where the place is one of `inputs`.
    PendingFile(const std::filesystem::path& directory,
                std::string_view name,
                const InputFiles& inputs);
    ~PendingFile() override;

    /// Writes the rest to the disk. A full or broken disk is detected here at the latest.
    void finish();

    /// Gives the file its temporary name, if it has none yet.
    void link();

    /// Puts the file in its place. The file that was there gets the temporary name, so that this is
    /// fast and can be undone. Where the file system cannot swap names, the old file is lost.
    void put_in_place();

    /// Undoes put_in_place() as far as that is possible.
    void take_back() noexcept;

    /// Removes the file with the temporary name: this one, or the one that it replaced.
    void discard() noexcept;

  private:
    enum class Place : std::uint8_t { not_taken, was_empty, swapped, replaced };

    [[nodiscard]] bool rename_with(unsigned flags) const;
    void drain(std::string_view text) override;
    void open_named();
    /// Sets the next temporary name; false after `max_names` attempts.
    [[nodiscard]] bool next_name();
    [[noreturn]] void fail(const char* operation) const;

    std::filesystem::path directory_;
    std::filesystem::path place_;
    std::filesystem::path temporary_; ///< its name before it is put in place
    int num_names_{};                 ///< tried so far
    bool named_{false};               ///< whether `temporary_` exists
    int descriptor_{-1};
    Place taken_{Place::not_taken};
};

}} // namespace bursar::reports
