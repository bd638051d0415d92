#include "reports/html/page_script.hpp"

namespace bursar::inline reports {

std::string_view page_script() {
    return {};
}

} // namespace bursar::inline reports
