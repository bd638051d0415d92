#include "tools/model/step_options.hpp"

#include "tools/model/options/gpu_price.hpp"

namespace bursar { inline namespace tools {

void StepOptions::add_to(Command command) {
    job_.add_to(command);
    command
        .add_option(
            "--price", price_, "price of a GPU, e.g. \"2.10 USD/gpu-h\"; also prints the cost")
        .type_name("RATE");
    command.add_flag("--anyway", anyway_, "answer for a layout that does not fit, too");
}

StepQuestion StepOptions::question() const {
    StepQuestion question;
    question.asked = job_.fitting_question();
    question.anyway = anyway_;
    if (!price_.empty())
        question.usd_per_gpu_hour = static_cast<double>(gpu_hour_price(price_, "--price").count()) /
                                    static_cast<double>(nano_usd_per_usd);
    return question;
}

}} // namespace bursar::tools
