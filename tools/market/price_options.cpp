#include "tools/market/price_options.hpp"

#include "sim/plan/plan.hpp"

#include "scenarios/market/prices/registry.hpp"

namespace bursar { inline namespace tools {

void PriceOptions::add_to(Command command) {
    PriceOffer& wanted = keys.wanted;
    command.add_option("--type", wanted.type, "type of machine, as the file calls it")
        .type_name("NAME");
    command.add_option("--region", wanted.region, "region").type_name("NAME");
    command.add_option("--zone", wanted.zone, "zone of the region").type_name("NAME");
    command.add_option("--purchase", wanted.purchase, "on_demand, spot, or a term of the file")
        .type_name("NAME");
    command
        .add_option("--product",
                    wanted.product,
                    "operating system and the like (default: Linux, where there are several)")
        .type_name("NAME");
    for (const char* const key : {"type", "region", "zone", "purchase", "product"})
        keys.places.note(key, {Place{std::string{"--"} + key}, {}});
    command
        .add_option("--gpus",
                    gpus,
                    up_to(max_gpus_per_node),
                    "GPUs of the machine: prices are also given per GPU (default: as the file "
                    "says)")
        .type_name("N");
    command.add_flag("--drop-outliers",
                     drop_outliers,
                     "leave out prices ten times their neighbours, or a tenth");
    std::vector<std::string> names;
    for (const PriceFormat& known : price_formats())
        names.emplace_back(known.name);
    command.add_option("--read-as", format, "format of the files (default: told by their content)")
        .one_of_words(names)
        .type_name("FORMAT");
}

}} // namespace bursar::tools
