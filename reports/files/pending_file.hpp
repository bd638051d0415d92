#pragma once

#include <filesystem>
#include <string_view>

#include "reports/text/text_sink.hpp"

namespace bursar::inline reports {

/// A file that is written in full before it takes its place. It has no name meanwhile (O_TMPFILE),
/// so that nothing is left of it when the process is interrupted; on file systems without such
/// files, it is hidden beside its place as `.NAME.PID` and removed by the destructor. Every failure
/// is a ReportError with the file and the system's words. The order is: put ..., make_ready(),
/// put_in_place().
class PendingFile final : public TextSink {
  public:
    PendingFile(const std::filesystem::path& directory, std::string_view name);
    ~PendingFile() override;

    /// Writes what is left, gives the file its temporary name, if it has none yet, and closes it: a
    /// full disk or a broken one is noticed here at the latest.
    void make_ready();

    /// Replaces what is in its place.
    void put_in_place();

  private:
    void drain(std::string_view text) override;
    void link();
    [[noreturn]] void fail(const char* operation) const;

    std::filesystem::path directory_;
    std::filesystem::path place_;
    std::filesystem::path temporary_; ///< its name before it is put in place
    bool named_{false};               ///< whether `temporary_` exists
    int descriptor_{-1};
};

} // namespace bursar::inline reports
