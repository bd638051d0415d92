#pragma once

#include <string_view>

namespace bursar { inline namespace scenarios {

/// Whether two spellings name one GPU: the same words in any order and case, whatever stands
/// between them, and whether or not vendor, brand and kind of memory are said. "NVIDIA A100 80GB
/// SXM4" is "A100-SXM4-80GB"; "A100" is not.
[[nodiscard]] bool same_gpu_name(std::string_view a, std::string_view b);

}} // namespace bursar::scenarios
