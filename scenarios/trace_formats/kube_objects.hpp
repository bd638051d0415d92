#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/traces/text/json_values.hpp"

namespace bursar { inline namespace scenarios {

/// The requests of the containers of a pod.
struct KubeRequests {
    std::int64_t gpus{};
    std::int64_t cpu_milli{};
    std::int64_t memory_mib{};
};

/// A time of an object, in milliseconds since 1970.
using KubeTime = std::optional<std::int64_t>;

/// The fields of a Pod, a Job, an Event or another object of a cluster that are read.
struct KubeObject {
    FieldPlace place; ///< of its name
    std::string kind, name, space, uid;
    std::string created; ///< as it is written
    FieldPlace created_place;
    std::string owner_kind, owner_name, owner_uid; ///< of its controller; empty: none
    KubeRequests requests;
    std::string phase, reason; ///< of a pod; of an event its reason
    KubeTime start, end;       ///< of containers, or of the Job
    KubeTime running_since;    ///< of a pod: the newest start of a container that runs
    bool deleted{};            ///< its deletion was requested
    bool failed{};             ///< of a Job
    std::int64_t parallelism{1};
    std::optional<std::int64_t> completions; ///< absent: as many as `parallelism`
    std::string about_uid;                   ///< the object of an event

    std::optional<Finding> problem; ///< its path is a key of the object
    FieldPlace problem_place;
};

/// Collects the objects of a JSON text.
class KubeObjects final : public JsonValues {
  public:
    void value(std::span<const std::string> path, std::string_view text, FieldPlace place) override;
    void end_of_object(std::span<const std::string> path) override;

    /// Those found, in the order of the text.
    [[nodiscard]] std::vector<KubeObject>& objects() { return objects_; }
    /// Requested resources for GPUs, or for parts of them, that are not read.
    [[nodiscard]] const std::set<std::string>& unread_resources() const { return unread_; }

  private:
    /// Requests summed over containers, and the largest request of containers that run before them.
    struct Requests {
        std::int64_t requested{};
        std::int64_t limited{};
        std::int64_t before{};
        [[nodiscard]] std::int64_t most() const;
    };
    /// State of an object, or of a part of it, until its end.
    struct Open {
        KubeObject object;
        Requests gpus, cpu_milli, memory_mib;
        KubeTime first_seen, last_seen; ///< of an event
        std::string owner_kind, owner_name, owner_uid, owner_controls;
        std::string condition, condition_status;
        KubeTime condition_since;
        KubeTime failed_since;
    };

    void take(std::string_view key, std::string_view text, FieldPlace place, Open& open);
    static void
    take_count(std::string_view key, std::string_view text, FieldPlace place, KubeObject& object);
    static void
    take_time(std::string_view key, std::string_view text, FieldPlace place, Open& open);
    void take_resource(std::string_view key, std::string_view text, FieldPlace place, Open& open);
    static KubeTime
    time_of(std::string_view key, std::string_view text, FieldPlace place, KubeObject& object);
    void close(Open& open);
    /// Adds the object, unless it is a list.
    void add(Open& open);

    Open root_;                            // of the text as a whole
    Open item_;                            // of a list
    std::vector<Open> items_without_kind_; // of a PodList, JobList, ..., until its end
    std::vector<KubeObject> objects_;
    std::set<std::string> unread_;
};

}} // namespace bursar::scenarios
