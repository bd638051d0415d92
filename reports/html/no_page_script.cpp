#include "reports/html/page.hpp"

namespace bursar { inline namespace reports {

std::string_view page_script() {
    return {};
}

}} // namespace bursar::reports
