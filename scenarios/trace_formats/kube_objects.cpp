#include "scenarios/trace_formats/kube_objects.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/traces/text/numbers.hpp"
#include "scenarios/traces/text/timestamps.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::int64_t bytes_of_mib = 1024 * 1024;
constexpr std::array<AmountUnit, 1> whole_numbers{{{"", 1, 1}}};
constexpr std::array<AmountUnit, 5> cores{
    {{"", 1000, 1}, {"m", 1, 1}, {"u", 1, 1000}, {"n", 1, 1'000'000}, {"k", 1'000'000, 1}}};
constexpr std::array<AmountUnit, 12> memory_sizes{{{"", 1, bytes_of_mib},
                                                   {"m", 1, 1000 * bytes_of_mib},
                                                   {"k", 1'000, bytes_of_mib},
                                                   {"M", 1'000'000, bytes_of_mib},
                                                   {"G", 1'000'000'000, bytes_of_mib},
                                                   {"T", 1'000'000'000'000, bytes_of_mib},
                                                   {"P", 1'000'000'000'000'000, bytes_of_mib},
                                                   {"Ki", 1, 1024},
                                                   {"Mi", 1, 1},
                                                   {"Gi", 1024, 1},
                                                   {"Ti", bytes_of_mib, 1},
                                                   {"Pi", 1024 * bytes_of_mib, 1}}};

/// The first part of the path of a value in an item of a list.
std::size_t size_of_item_path(std::span<const std::string> path) {
    if (!path.empty() && path[0] == "[]")
        return 1;
    return path.size() > 1 && path[0] == "items" && path[1] == "[]" ? 2 : 0;
}

std::string joined(std::span<const std::string> path) {
    std::string text;
    for (const std::string& key : path)
        text += (text.empty() ? "" : ".") + key;
    return text;
}

void keep_earlier(KubeTime& kept, KubeTime time) {
    if (time && (!kept || *time < *kept))
        kept = time;
}
void keep_later(KubeTime& kept, KubeTime time) {
    if (time && (!kept || *time > *kept))
        kept = time;
}

void note_first_problem(KubeObject& object, std::string_view key, FieldPlace place, Finding is) {
    if (object.problem)
        return;
    is.path = key;
    object.problem = std::move(is);
    object.problem_place = place;
}

} // namespace

std::int64_t KubeObjects::Requests::most() const {
    return std::max({requested, limited, before});
}

KubeTime KubeObjects::time_of(std::string_view key,
                              std::string_view text,
                              FieldPlace place,
                              KubeObject& object) {
    if (text == "null")
        return std::nullopt;
    const KubeTime time = parse_timestamp(text, 0);
    if (!time)
        note_first_problem(
            object, key, place, mistake(in_quotes(text) + " is not a date and time"));
    return time;
}

void KubeObjects::value(std::span<const std::string> path,
                        std::string_view text,
                        FieldPlace place) {
    const std::size_t above = size_of_item_path(path);
    std::string key = joined(path.subspan(above));
    // The template of a Job describes its pods.
    if (constexpr std::string_view of_template = "spec.template.spec.";
        key.starts_with(of_template))
        key.replace(0, of_template.size(), "spec.");
    take(key, text, place, above == 0 ? root_ : item_);
}

void KubeObjects::take_resource(std::string_view key,
                                std::string_view text,
                                FieldPlace place,
                                Open& open) {
    const bool is_before = key.starts_with("spec.initContainers.");
    const std::size_t limits = key.find(".resources.limits.");
    const std::size_t name_at =
        limits != std::string_view::npos ? limits + 18 : key.find(".resources.requests.") + 20;
    const std::string_view name = key.substr(name_at);
    const auto add = [&](Requests& requests, std::span<const AmountUnit> units) {
        const std::optional<std::int64_t> amount = parse_amount(text, units);
        if (!amount)
            return note_first_problem(
                open.object, key, place, mistake(in_quotes(text) + " is not a quantity"));
        if (is_before)
            requests.before = std::max(requests.before, *amount);
        else
            (limits != std::string_view::npos ? requests.limited : requests.requested) += *amount;
    };
    const bool is_request = limits == std::string_view::npos;
    if (name == "nvidia.com/gpu" || name == "amd.com/gpu")
        add(open.gpus, whole_numbers);
    else if (name == "cpu" && is_request)
        add(open.cpu_milli, cores);
    else if (name == "memory" && is_request)
        add(open.memory_mib, memory_sizes);
    else if (name.find("gpu") != std::string_view::npos || name.find("/mig-") != name.npos)
        unread_.emplace(name);
}

void KubeObjects::take(std::string_view key, std::string_view text, FieldPlace place, Open& open) {
    KubeObject& object = open.object;
    const std::pair<std::string_view, std::string*> texts[]{
        {"kind", &object.kind},
        {"metadata.namespace", &object.space},
        {"metadata.uid", &object.uid},
        {"status.phase", &object.phase},
        {"status.reason", &object.reason},
        {"reason", &object.reason},
        {"involvedObject.uid", &object.about_uid},
        {"metadata.ownerReferences.[].kind", &open.owner_kind},
        {"metadata.ownerReferences.[].name", &open.owner_name},
        {"metadata.ownerReferences.[].uid", &open.owner_uid},
        {"metadata.ownerReferences.[].controller", &open.owner_controls},
        {"status.conditions.[].type", &open.condition},
        {"status.conditions.[].status", &open.condition_status},
    };
    for (const auto& [name, kept] : texts)
        if (key == name) {
            *kept = text;
            return;
        }
    if (key == "metadata.name") {
        object.name = text;
        object.place = place;
    } else if (key == "metadata.creationTimestamp") {
        object.created = text;
        object.created_place = place;
    } else if (key == "metadata.deletionTimestamp") {
        object.deleted = text != "null";
    } else if (key == "spec.parallelism" || key == "spec.completions") {
        take_count(key, text, place, object);
    } else if (key.find(".resources.") != std::string_view::npos &&
               (key.starts_with("spec.containers.") || key.starts_with("spec.initContainers."))) {
        take_resource(key, text, place, open);
    } else {
        take_time(key, text, place, open);
    }
}

void KubeObjects::take_count(std::string_view key,
                             std::string_view text,
                             FieldPlace place,
                             KubeObject& object) {
    if (text == "null")
        return;
    const std::optional<std::int64_t> number = parse_count(text);
    if (!number)
        note_first_problem(
            object, key, place, mistake(in_quotes(text) + " is not a number of pods"));
    else if (key == "spec.parallelism")
        object.parallelism = *number;
    else
        object.completions = number;
}

void KubeObjects::take_time(std::string_view key,
                            std::string_view text,
                            FieldPlace place,
                            Open& open) {
    KubeObject& object = open.object;
    if (key.starts_with("status.containerStatuses.") && key.ends_with(".startedAt")) {
        const KubeTime time = time_of(key, text, place, object);
        keep_earlier(object.start, time);
        if (key == "status.containerStatuses.[].state.running.startedAt")
            keep_later(object.running_since, time);
    } else if (key == "status.containerStatuses.[].state.terminated.finishedAt") {
        keep_later(object.end, time_of(key, text, place, object));
    } else if (key == "status.completionTime") {
        object.end = time_of(key, text, place, object);
    } else if (key == "status.conditions.[].lastTransitionTime") {
        open.condition_since = time_of(key, text, place, object);
    } else if (key == "status.startTime") {
        open.first_seen = time_of(key, text, place, object);
    } else if (key == "firstTimestamp" || key == "eventTime" || key == "lastTimestamp") {
        const KubeTime time = time_of(key, text, place, object);
        keep_earlier(open.first_seen, time);
        keep_later(open.last_seen, time);
    }
}

void KubeObjects::end_of_object(std::span<const std::string> path) {
    const std::size_t above = size_of_item_path(path);
    Open& open = above == 0 ? root_ : item_;
    const std::string key = joined(path.subspan(above));
    if (key == "metadata.ownerReferences.[]") {
        if (open.owner_controls == "true" || open.object.owner_uid.empty()) {
            open.object.owner_kind = open.owner_kind;
            open.object.owner_name = open.owner_name;
            open.object.owner_uid = open.owner_uid;
        }
        open.owner_controls.clear();
    } else if (key == "status.conditions.[]") {
        if (open.condition == "Failed" && open.condition_status == "True")
            open.failed_since = open.condition_since;
    } else if (key.empty()) {
        close(open);
    }
}

void KubeObjects::close(Open& open) {
    constexpr std::string_view list = "List";
    const std::string& kind = open.object.kind;
    if (&open == &item_ && kind.empty()) {
        items_without_kind_.push_back(std::move(open));
    } else if (&open == &root_ && kind.ends_with(list)) {
        // The API lists objects of one kind without naming it in each: a PodList has pods.
        const std::string of_items = kind.substr(0, kind.size() - list.size());
        for (Open& item : items_without_kind_) {
            item.object.kind = of_items;
            add(item);
        }
        items_without_kind_.clear();
    } else {
        add(open);
    }
    open = {};
}

void KubeObjects::add(Open& open) {
    KubeObject& object = open.object;
    object.requests = {open.gpus.most(), open.cpu_milli.most(), open.memory_mib.most()};
    if (object.kind == "Job") {
        object.start = open.first_seen;
        object.failed = open.failed_since.has_value();
        if (object.failed)
            object.end = open.failed_since;
    } else if (object.kind == "Event") {
        object.start = open.first_seen;
        object.end = open.last_seen;
    }
    if (!object.kind.empty() && !object.kind.ends_with("List"))
        objects_.push_back(std::move(object));
}

}} // namespace bursar::scenarios
