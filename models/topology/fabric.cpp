#include "models/topology/fabric.hpp"

#include <algorithm>
#include <utility>

#include "models/errors/model_error.hpp"
#include "models/errors/require.hpp"

namespace bursar { inline namespace models {
namespace {

/// A path as its enclosure and the name after the last slash.
std::pair<std::string_view, std::string_view> split_path(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos)
        return {{}, path};
    return {path.substr(0, slash), path.substr(slash + 1)};
}

} // namespace

std::string Fabric::path(std::uint32_t device) const {
    std::string path = devices[device].name;
    for (std::uint32_t at = devices[device].enclosure; at != 0; at = enclosures[at].parent)
        path.insert(0, enclosures[at].name + "/");
    return path;
}

std::size_t Fabric::count(DeviceKind kind) const {
    return static_cast<std::size_t>(std::ranges::count(devices, kind, &Device::kind));
}

std::string_view word_of(std::string_view name) {
    return name.substr(0, name.find('['));
}

FabricBuilder::FabricBuilder(std::string name) {
    fabric_.name = std::move(name);
    fabric_.enclosures.push_back({"fabric", 0});
}

std::uint32_t FabricBuilder::enclosure(std::string_view path) {
    if (path.empty())
        return 0;
    const auto [around, name] = split_path(path);
    const std::uint32_t parent = enclosure(around);
    const auto [at, is_new] = enclosures_.try_emplace(
        Member{parent, name}, static_cast<std::uint32_t>(fabric_.enclosures.size()));
    if (is_new)
        fabric_.enclosures.push_back({std::string{name}, parent});
    return at->second;
}

std::uint32_t
FabricBuilder::device(std::uint32_t enclosure, std::string_view name, DeviceKind kind) {
    const auto number = static_cast<std::uint32_t>(fabric_.devices.size());
    if (number == max_devices)
        throw ModelError{"devices",
                         "are more than " + std::to_string(max_devices),
                         "join what is alike, such as parallel switches"};
    if (!devices_.try_emplace(Member{enclosure, name}, number).second) {
        fabric_.devices.push_back({std::string{name}, kind, enclosure});
        throw ModelError{"devices",
                         std::string{device_kind_names[static_cast<std::size_t>(kind)]} + " \"" +
                             fabric_.path(number) + "\" is a duplicate",
                         "device names are unique"};
    }
    fabric_.devices.push_back({std::string{name}, kind, enclosure});
    return number;
}

std::uint32_t FabricBuilder::device(std::string_view path, DeviceKind kind) {
    const auto [around, name] = split_path(path);
    return device(enclosure(around), name, kind);
}

std::uint32_t FabricBuilder::device_at(std::string_view path) const {
    std::uint32_t enclosure = 0;
    const auto [around, name] = split_path(path);
    for (std::size_t begin = 0; begin < around.size();) {
        const std::size_t end = std::min(around.find('/', begin), around.size());
        const auto found = enclosures_.find(Member{enclosure, around.substr(begin, end - begin)});
        if (found == enclosures_.end())
            throw ModelError{"links", "no device \"" + std::string{path} + "\"", {}};
        enclosure = found->second;
        begin = end + 1;
    }
    const auto found = devices_.find(Member{enclosure, name});
    if (found == devices_.end())
        throw ModelError{"links", "no device \"" + std::string{path} + "\"", {}};
    return found->second;
}

void FabricBuilder::link(std::uint32_t from,
                         std::uint32_t to,
                         ByteRate bandwidth,
                         std::optional<Seconds> latency) {
    require_positive("bandwidth", bandwidth.count());
    if (latency)
        require_not_negative("latency", latency->count());
    if (from == to)
        throw ModelError{"links", "\"" + fabric_.path(from) + "\" is linked with itself", {}};
    if (fabric_.links.size() == max_links)
        throw ModelError{"links",
                         "are more than " + std::to_string(max_links),
                         "join parallel links to one of their bandwidth"};
    fabric_.links.push_back({from, to, bandwidth, latency});
}

void FabricBuilder::link(std::string_view from,
                         std::string_view to,
                         ByteRate bandwidth,
                         std::optional<Seconds> latency) {
    link(device_at(from), device_at(to), bandwidth, latency);
}

}} // namespace bursar::models
