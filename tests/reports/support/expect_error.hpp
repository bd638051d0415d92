#pragma once

#include <string>

#include "reports/errors/report_error.hpp"

namespace bursar::test {

/// The message of the ReportError that `action` throws, or "" if it throws none.
template <class Action>
std::string report_error_of(Action action) {
    try {
        action();
    } catch (const ReportError& error) {
        return error.what();
    }
    return "";
}

} // namespace bursar::test
