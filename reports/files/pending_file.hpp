#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "reports/files/input_files.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// A file that is written in full before it takes its place. It has no name meanwhile (O_TMPFILE),
/// so that nothing is left of it when the process is interrupted; on file systems without such
/// files, it is hidden beside its place under a name that nothing else has, and removed by the
/// destructor; what killed processes left of this file is removed first. Every failure is a
/// ReportError with the file and the system's words. The order is: put ..., finish(), link(),
/// put_in_place(), discard(); from link() on, signals are best held (HeldSignals).
class PendingFile final : public TextSink {
  public:
    /// Throws OutputIsInput where the place is one of `inputs`.
    PendingFile(const std::filesystem::path& directory,
                std::string_view name,
                const InputFiles& inputs);
    ~PendingFile() override;

    /// Writes what is left, to the disk: a full one or a broken one is noticed here at the latest.
    void finish();

    /// Gives the file its temporary name, if it has none yet.
    void link();

    /// Takes its place. What was there has the temporary name then: nothing is removed yet, so that
    /// this takes no time, and can be undone. Where the file system cannot swap names, it is gone.
    void put_in_place();

    /// Undoes put_in_place() as far as that is possible.
    void take_back() noexcept;

    /// Removes what has the temporary name: the file, or what was in its place.
    void discard() noexcept;

  private:
    enum class Place : std::uint8_t { not_taken, was_empty, swapped, replaced };

    [[nodiscard]] bool rename_with(unsigned flags) const;
    void drain(std::string_view text) override;
    void open_named();
    /// The next temporary name; false once there were so many that something is wrong.
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
