#pragma once

#include <filesystem>
#include <string_view>

#include "reports/files/input_files.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar::inline reports {

/// A file that is written in full before it takes its place. It has no name meanwhile (O_TMPFILE),
/// so that nothing is left of it when the process is interrupted; on file systems without such
/// files, it is hidden beside its place under a name that nothing else has, and removed by the
/// destructor; what killed processes left of this file is removed first. Every failure is a
/// ReportError with the file and the system's words. The order is: put ..., finish(), link(),
/// put_in_place(); between the last two, signals are best held (HeldSignals).
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

    /// Replaces what is in its place.
    void put_in_place();

  private:
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
};

} // namespace bursar::inline reports
