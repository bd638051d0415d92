#include "tests/sim/team/warp_fibers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BURSAR_ADDRESS_SANITIZER
#endif
#endif
#ifdef BURSAR_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace bursar::test {
namespace {

namespace context = boost::context;

constexpr std::size_t stack_bytes = 256 * 1024; // frames are large without optimisation

/// A stack, with what the address sanitizer needs at a switch to it.
struct Stack {
    const void* bottom{};
    std::size_t size{};
    void* fake_frames{}; ///< while no lane runs on it
};

/// Call before a thread switches stacks; ends: it does not come back.
void leave([[maybe_unused]] Stack& from,
           [[maybe_unused]] const Stack& to,
           [[maybe_unused]] bool ends) {
#ifdef BURSAR_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(ends ? nullptr : &from.fake_frames, to.bottom, to.size);
#endif
}
/// Call after a switch, from `from`.
void arrive([[maybe_unused]] Stack& here, [[maybe_unused]] Stack& from) {
#ifdef BURSAR_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(here.fake_frames, &from.bottom, &from.size);
#endif
}

/// Provides reusable stacks, with their addresses.
struct TellingStacks {
    Stack* told;

    static context::pooled_fixedsize_stack& all() {
        thread_local context::pooled_fixedsize_stack stacks{stack_bytes};
        return stacks;
    }
    [[nodiscard]] context::stack_context allocate() const {
        const context::stack_context one = all().allocate();
        *told = {static_cast<const char*>(one.sp) - one.size, one.size};
        return one;
    }
    static void deallocate(context::stack_context& one) { all().deallocate(one); }
};

/// Ends a lane after its warp has diverged.
struct Parted {};

} // namespace

struct WarpFibers::Lanes {
    struct Lane {
        context::fiber fiber; ///< while others run
        Stack stack;
        const char* waits_at{}; ///< null: it has ended
        std::exception_ptr error{};
    };

    std::mt19937_64 random;
    std::array<Lane, num_lanes> all;
    context::fiber driver; ///< while a lane runs
    Stack driver_stack;
    bool parted{};

    void start(std::uint32_t lane, const std::function<void(std::uint32_t)>& body) {
        Lane& own = all[lane];
        own = Lane{};
        own.fiber = context::fiber{
            std::allocator_arg, TellingStacks{&own.stack}, [&, lane](context::fiber&& from) {
                driver = std::move(from);
                arrive(own.stack, driver_stack);
                try {
                    body(lane);
                } catch (const Parted&) {
                    // The driver has the error.
                } catch (...) {
                    own.error = std::current_exception();
                }
                own.waits_at = nullptr;
                leave(own.stack, driver_stack, true);
                return std::move(driver);
            }};
    }

    /// Runs a lane until its next barrier, or its end.
    void resume(Lane& lane) {
        leave(driver_stack, lane.stack, false);
        lane.fiber = std::move(lane.fiber).resume();
        Stack left;
        arrive(driver_stack, left);
    }

    /// The lanes that have not ended, in random order.
    bool resume_all() {
        std::array<std::uint32_t, num_lanes> order{};
        std::iota(order.begin(), order.end(), 0U);
        std::shuffle(order.begin(), order.end(), random);
        bool any = false;
        for (const std::uint32_t lane : order) {
            if (!all[lane].fiber)
                continue;
            resume(all[lane]);
            any = any || all[lane].fiber;
        }
        return any;
    }

    /// The places where lanes wait or have ended; empty if all are at one place.
    [[nodiscard]] std::string places() const {
        const auto name = [](const Lane& lane) {
            return std::string{lane.waits_at == nullptr ? "the end" : lane.waits_at};
        };
        for (std::uint32_t lane = 1; lane < num_lanes; ++lane) {
            if (name(all[lane]) != name(all[0]))
                return "lane 0 is at " + name(all[0]) + ", lane " + std::to_string(lane) + " at " +
                       name(all[lane]);
        }
        return {};
    }
};

WarpFibers::WarpFibers(std::uint64_t seed) : lanes_{std::make_unique<Lanes>()} {
    lanes_->random.seed(seed);
}
WarpFibers::~WarpFibers() = default;

void WarpFibers::run(const std::function<void(std::uint32_t lane)>& body) {
    lanes_->parted = false;
    for (std::uint32_t lane = 0; lane < num_lanes; ++lane)
        lanes_->start(lane, body);
    std::string parted;
    while (lanes_->resume_all()) {
        if (parted.empty())
            parted = lanes_->places();
        lanes_->parted = !parted.empty(); // then each lane ends when it continues
    }
    for (const Lanes::Lane& lane : lanes_->all)
        if (lane.error)
            std::rethrow_exception(lane.error);
    if (!parted.empty())
        throw std::logic_error{"the lanes part: " + parted};
}

void WarpFibers::meet(std::uint32_t lane, const char* place) {
    Lanes::Lane& own = lanes_->all[lane];
    own.waits_at = place;
    leave(own.stack, lanes_->driver_stack, false);
    lanes_->driver = std::move(lanes_->driver).resume();
    arrive(own.stack, lanes_->driver_stack);
    if (lanes_->parted)
        throw Parted{};
}

} // namespace bursar::test
