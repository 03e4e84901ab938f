// Calls that do not block: with a callback, as a std::future, or awaited by a coroutine.

#ifndef VITALWIRE_CPP_PENDING_HPP
#define VITALWIRE_CPP_PENDING_HPP

#include <functional>
#include <future>
#include <memory>
#include <utility>
#ifdef __cpp_impl_coroutine
#include <coroutine>
#endif

#include "results.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

namespace detail {

/// Handle of a started call. The completion and the application share the handle.
struct call_handle {
  vitalwire_call *call = nullptr;

  call_handle() = default;
  call_handle(const call_handle &) = delete;
  call_handle &operator=(const call_handle &) = delete;
  ~call_handle() { vitalwire_call_free(call); }
};

/// Starts a call with its own copies of parameters and options.
using starter = std::function<vitalwire_code(vitalwire_completion, void *, vitalwire_destructor, vitalwire_call **, vitalwire_error **)>;

/// Completion of a call.
template <class T, class Function>
struct completion {
  Function function;
  result<T> (*finish)(const vitalwire_call *);
  std::shared_ptr<call_handle> call;

  static void run(void *user_data, vitalwire_call *of) noexcept {
    completion &here = *static_cast<completion *>(user_data);
    here.function(here.finish(of));
  }
  static void end(void *user_data) noexcept { delete static_cast<completion *>(user_data); }
};

template <class View, auto Finish, auto Ends>
result<owned<View>> finish(const vitalwire_call *call) {
  typename View::c_type *out = nullptr;
  vitalwire_error *error = nullptr;
  if (Finish(call, &out, &error) != VITALWIRE_OK) return vitalwire::error(error);
  return owned<View>(out, Ends);
}

template <auto Finish>
result<void> finish_empty(const vitalwire_call *call) {
  vitalwire_error *error = nullptr;
  if (Finish(call, &error) != VITALWIRE_OK) return vitalwire::error(error);
  return result<void>();
}

/// Result of `_finish`: the value, or an error that is thrown or returned, depending on VITALWIRE_RESULTS.
template <class T>
call_result<T> unwrap(result<T> either) {
#ifdef VITALWIRE_RESULTS
  return either;
#else
  if (!either) throw vitalwire::error(either.failure());
  if constexpr (!std::is_void_v<T>) return std::move(*either);
#endif
}

}  // namespace detail

/// A started call, which continues if this object is destroyed. Copies share one call.
class started {
 public:
  explicit started(std::shared_ptr<detail::call_handle> of) noexcept : of_(std::move(of)) {}
  // Also used for moves, so that an object that was moved from still refers to the call.
  started(const started &) noexcept = default;
  started &operator=(const started &) noexcept = default;

  /// Cancels the call, which then fails with code::cancelled. Thread-safe.
  void cancel() const noexcept { vitalwire_call_cancel(of_->call); }
  /// Waits until the call has ended. Returns false after a timeout. The callback of the call may still be running.
  bool wait_for(std::chrono::milliseconds time) const noexcept { return vitalwire_call_wait(of_->call, detail::to_c(time)); }

 private:
  std::shared_ptr<detail::call_handle> of_;
};

/// A call that does not block. Nothing is sent before `then`, `future` or `co_await`, which consume this object. Use a temporary, or
/// `std::move` the object once: a second use fails with code::invalid_argument. The client must live until the call is started.
template <class T>
class [[nodiscard]] pending {
 public:
  pending(detail::starter start, result<T> (*finish)(const vitalwire_call *)) : start_(std::move(start)), finish_(finish) {}
  pending(const pending &) = delete;
  pending(pending &&) noexcept = default;
  pending &operator=(const pending &) = delete;
  pending &operator=(pending &&) noexcept = default;

  /// Starts the call. `function` is called with a `result` when the call has ended: on a library thread, or in `dispatch` for a client with
  /// a descriptor. `function` may start calls. If it throws, the program terminates.
  template <class Function>
  call_result<started> then(Function function) && {
    auto call = start(std::move(function));
    return detail::unwrap<started>(call ? result<started>(started(std::move(*call))) : result<started>(call.failure()));
  }

  /// Starts the call and returns a future. The future becomes ready on the thread that runs callbacks of `then`. With a descriptor, never
  /// wait for the future on the thread that dispatches. If the client is destroyed before, the future throws std::future_error
  /// (broken_promise).
  std::future<call_result<T>> future() && {
    const auto promise = std::make_shared<std::promise<call_result<T>>>();
    const auto call = start([promise](result<T> either) { set(*promise, std::move(either)); });
    if (!call) set(*promise, result<T>(call.failure()));
    return promise->get_future();
  }

#ifdef __cpp_impl_coroutine
  /// Starts the call. The coroutine resumes on the thread that runs callbacks of `then`, and must not be destroyed before.
  auto operator co_await() && {
    class awaiter {
     public:
      explicit awaiter(pending of) : of_(std::move(of)) {}

      bool await_ready() const noexcept { return false; }
      bool await_suspend(std::coroutine_handle<> caller) {
        // The coroutine may resume and destroy this object before the start function returns.
        const auto call = of_.start([this, caller](result<T> either) {
          either_.emplace(std::move(either));
          caller.resume();
        });
        if (call) return true;
        either_.emplace(call.failure());
        return false;
      }
      call_result<T> await_resume() { return detail::unwrap<T>(std::move(*either_)); }

     private:
      pending of_;
      std::optional<result<T>> either_;
    };
    return awaiter(std::move(*this));
  }
#endif

 private:
  template <class Function>
  result<std::shared_ptr<detail::call_handle>> start(Function function) {
    using completion = detail::completion<T, Function>;
    // On a second use, returns the error of the library for a missing call.
    if (!start_) return finish_(nullptr).failure();
    // This object may be destroyed as soon as the call has started.
    const detail::starter begin = std::exchange(start_, nullptr);
    auto call = std::make_shared<detail::call_handle>();
    auto *const kept = new completion{std::move(function), finish_, call};
    vitalwire_error *error = nullptr;
    if (begin(completion::run, kept, completion::end, &call->call, &error) != VITALWIRE_OK) return vitalwire::error(error);
    return call;
  }

  static void set(std::promise<call_result<T>> &promise, result<T> either) {
#ifdef VITALWIRE_RESULTS
    promise.set_value(std::move(either));
#else
    if (!either) {
      promise.set_exception(std::make_exception_ptr(vitalwire::error(either.failure())));
    } else if constexpr (std::is_void_v<T>) {
      promise.set_value();
    } else {
      promise.set_value(std::move(*either));
    }
#endif
  }

  detail::starter start_;
  result<T> (*finish_)(const vitalwire_call *);
};

}  // namespace VITALWIRE_ERRORS

/// Cancels started calls and ends all threads of the library, so that the library can be unloaded. Returns false while a thread waits for a
/// call, and if called on a library thread. Later calls start new threads.
inline bool shutdown() noexcept { return vitalwire_shutdown(nullptr) == VITALWIRE_OK; }

}  // namespace vitalwire

#endif
