#pragma once

#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "reports/errors/report_error.hpp"
#include "reports/text/escape.hpp"

/// Calls to the system that the writers of files share.
namespace bursar { inline namespace reports {

/// Throws ReportError: "PLACE: cannot OPERATION: ..." with the system's text for `error`, an errno.
[[noreturn]] inline void
fail_file(const std::filesystem::path& place, std::string_view operation, int error) {
    throw ReportError{terminal_text(place.string()) + ": cannot " + std::string{operation} + ": " +
                      std::generic_category().message(error)};
}

/// Writes all of `text` to an open file; false, with errno set, where it cannot.
[[nodiscard]] bool write_all(int descriptor, std::string_view text);

/// Flushes an open file to the disk; false, with errno set, where that failed. A file system that
/// cannot is no failure.
[[nodiscard]] bool sync_to_disk(int descriptor);

/// Flushes the names in a folder; does nothing for one that may not be read. Throws ReportError.
void sync_folder(const std::filesystem::path& folder);

/// While it lives, signals that could end the process are blocked (but not those of faults), so
/// that a group of renames is not interrupted. Signals that arrive meanwhile take effect at its
/// end.
class HeldSignals {
  public:
    HeldSignals() {
        sigset_t held;
        sigfillset(&held);
        for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
            sigdelset(&held, fault);
        ::pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;
    ~HeldSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_{};
};

}} // namespace bursar::reports
