#include "tools/batch/gpus.hpp"

namespace bursar { inline namespace tools {

std::vector<BatchGpu> gpus(TeamKind) {
    return {};
}

std::string why_no_gpu() {
    return "this program is built without CUDA, so that it knows no GPU";
}

}} // namespace bursar::tools
