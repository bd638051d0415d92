#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "reports/errors/report_error.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {

/// Throws ReportError: what cannot be done with the file or folder, in the words of the system for
/// `error`, an errno.
[[noreturn]] inline void
fail_file(const std::filesystem::path& place, std::string_view operation, int error) {
    throw ReportError{terminal_text(place.string()) + ": cannot " + std::string{operation} + ": " +
                      std::generic_category().message(error)};
}

}} // namespace bursar::reports
