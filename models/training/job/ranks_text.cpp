#include "models/training/job/ranks_text.hpp"

namespace bursar { inline namespace models {

std::string ranks_text(const Layout& layout) {
    std::string text = "tensor " + std::to_string(layout.tensor);
    text += " x pipeline " + std::to_string(layout.pipeline);
    if (layout.chunks > 1)
        text += " (" + std::to_string(layout.chunks) + " chunks)";
    if (layout.context > 1)
        text += " x context " + std::to_string(layout.context);
    text += " x data " + std::to_string(layout.data);
    if (layout.expert > 1)
        text += " (expert " + std::to_string(layout.expert) + ")";
    return text;
}

}} // namespace bursar::models
