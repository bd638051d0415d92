#pragma once

#include <string_view>

namespace bursar { inline namespace reports {

/// The style sheet of every page of HTML. Colours are variables, one set for light screens and for
/// paper and one for dark screens; a class of colour (`productive`, `s0`) sets `--c`, which `fill`,
/// `stroke` and `flow` use. Groups of leaves have hues that are distinct with each common
/// kind of colour blindness (after Okabe and Ito 2008, darker for 3:1 against the page), lines by
/// dashes as well. Text is at least 4.5:1.
[[nodiscard]] std::string_view page_style();

}} // namespace bursar::reports
