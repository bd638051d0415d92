#pragma once

#include <csignal>

namespace bursar { inline namespace reports {

/// While it lives, signals that could end the process wait (those of faults excepted), for what
/// must not stop half-way. What has come meanwhile takes effect at its end.
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
