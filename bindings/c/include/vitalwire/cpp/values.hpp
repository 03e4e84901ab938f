// Texts, series and lists. Functions return views unless their documentation says that they copy.

#ifndef VITALWIRE_CPP_VALUES_HPP
#define VITALWIRE_CPP_VALUES_HPP

#include "plain.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// A view of numbers, which belong to the object that was read. A gap is a NaN: test it with std::isnan. Convertible to
/// std::span<const double>.
class series {
 public:
  using value_type = double;
  using const_iterator = const double *;

  constexpr series() noexcept = default;
  explicit constexpr series(vitalwire_numbers of) noexcept : data_(of.data), size_(of.length) {}

  constexpr const double *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr const double *begin() const noexcept { return data_; }
  constexpr const double *end() const noexcept { return size_ == 0 ? data_ : data_ + size_; }
  constexpr double operator[](std::size_t index) const noexcept { return data_[index]; }

 private:
  const double *data_ = nullptr;
  std::size_t size_ = 0;
};

/// A named value of a map.
template <class Value>
struct entry {
  std::string_view name;
  Value value;
};

/// Presence of an optional list.
using presence = vitalwire_presence;
/// Basis of nutritional numbers.
using basis = vitalwire_number_basis;

namespace detail {

inline vitalwire_str to_c(std::string_view text) noexcept { return {text.data(), text.size()}; }
/// Converts an optional text. NULL means nullopt, so an empty view without data becomes "".
inline vitalwire_str to_c_if(std::optional<std::string_view> text) noexcept {
  if (!text) return {nullptr, 0};
  return text->data() == nullptr ? vitalwire_str{"", 0} : to_c(*text);
}

/// Returns a view of a NUL-terminated string; empty for NULL.
inline std::string_view literal(const char *text) noexcept { return text == nullptr ? std::string_view() : std::string_view(text); }

inline std::string_view text(vitalwire_str of) noexcept { return {of.data, of.length}; }

inline std::optional<std::string_view> text_if(vitalwire_str of) noexcept {
  return of.data == nullptr ? std::nullopt : std::optional<std::string_view>(text(of));
}

inline std::optional<vitalwire::series> series_if(vitalwire_numbers of) noexcept {
  return of.data == nullptr ? std::nullopt : std::optional<vitalwire::series>(of);
}

/// Returns a view of an object; nullopt for NULL.
template <class View>
std::optional<View> child_if(const typename View::c_type *of) noexcept {
  return of == nullptr ? std::nullopt : std::optional<View>(of);
}

/// Copies a JSON text and frees the original; nullopt for NULL.
inline std::optional<std::string> json_if(vitalwire_json *of) {
  const std::unique_ptr<vitalwire_json, void (*)(vitalwire_json *)> kept(of, vitalwire_json_free);
  return of == nullptr ? std::nullopt : std::optional<std::string>(text(vitalwire_json_text(of)));
}

inline std::string json(vitalwire_json *of) { return json_if(of).value_or(std::string()); }

/// A C handle with value semantics: copied by `Clone`, freed by `Free`. It may be empty.
template <class T, auto Clone, auto Free>
class value_handle {
 public:
  value_handle() noexcept = default;
  explicit value_handle(T *of) noexcept : of_(of) {}
  value_handle(const value_handle &other) : of_(Clone(other.get())) {}
  value_handle(value_handle &&) noexcept = default;
  value_handle &operator=(value_handle other) noexcept {
    of_ = std::move(other.of_);
    return *this;
  }
  ~value_handle() = default;

  T *get() const noexcept { return of_.get(); }

 private:
  struct deleter {
    void operator()(T *of) const noexcept { Free(of); }
  };

  std::unique_ptr<T, deleter> of_;
};

/// C type of a C++ value, and the conversion from it.
template <class T>
struct c_conversion {
  using c_type = T;
  static constexpr T from(T of) noexcept { return of; }
};

template <>
struct c_conversion<std::chrono::milliseconds> {
  using c_type = std::int64_t;
  static constexpr std::chrono::milliseconds from(std::int64_t of) noexcept { return std::chrono::milliseconds(of); }
};

template <>
struct c_conversion<vitalwire::timestamp> {
  using c_type = vitalwire_timestamp;
  static constexpr vitalwire::timestamp from(vitalwire_timestamp of) noexcept {
    return vitalwire::timestamp(std::chrono::seconds(of.seconds)) + std::chrono::microseconds(of.nanoseconds / 1000);
  }
};

template <>
struct c_conversion<vitalwire::date> {
  using c_type = vitalwire_date;
  static constexpr vitalwire::date from(vitalwire_date of) noexcept { return {of.year, of.month, of.day}; }
};

inline vitalwire_timestamp to_c(vitalwire::timestamp of) noexcept {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(of);
  const std::chrono::nanoseconds rest = of - seconds;
  return {seconds.time_since_epoch().count(), static_cast<std::uint32_t>(rest.count())};
}

/// Converts a date. A value out of range becomes an invalid date, which the library rejects.
inline vitalwire_date to_c(vitalwire::date of) noexcept {
  const bool fits = of.year >= INT16_MIN && of.year <= INT16_MAX && of.month <= UINT8_MAX && of.day <= UINT8_MAX;
  if (!fits) return {0, 0, 0};
  return {static_cast<std::int16_t>(of.year), static_cast<std::uint8_t>(of.month), static_cast<std::uint8_t>(of.day)};
}

inline std::uint64_t to_c(std::chrono::milliseconds of) noexcept { return of.count() < 0 ? 0 : static_cast<std::uint64_t>(of.count()); }

/// Returns the value that a C function writes; nullopt if the function returns false. `more` precedes the output argument.
template <class T, class Read, class... More>
std::optional<T> value_if(Read read, More... more) noexcept {
  typename c_conversion<T>::c_type value{};
  return read(more..., &value) ? std::optional<T>(c_conversion<T>::from(value)) : std::nullopt;
}

template <class T, class = void>
struct is_view : std::false_type {};
template <class T>
struct is_view<T, std::void_t<typename T::c_type>> : std::true_type {};
template <class T>
struct is_entry : std::false_type {};
template <class T>
struct is_entry<vitalwire::entry<T>> : std::true_type {};

/// Reads an item of a list by its index.
template <class Item, auto At, class Of>
Item item(const Of *of, std::size_t index) {
  if constexpr (is_view<Item>::value) {
    return Item(At(of, index));
  } else if constexpr (std::is_same_v<Item, std::string_view>) {
    return text(At(of, index));
  } else if constexpr (std::is_same_v<Item, std::string>) {
    return json(At(of, index));
  } else if constexpr (std::is_same_v<Item, vitalwire::entry<double>>) {
    vitalwire_str name{};
    double value = 0;
    At(of, index, &name, &value);
    return {text(name), value};
  } else if constexpr (is_entry<Item>::value) {
    vitalwire_str name{};
    vitalwire_numbers value{};
    At(of, index, &name, &value);
    return {text(name), vitalwire::series(value)};
  } else {
    return value_if<Item>(At, of, index).value_or(Item{});
  }
}

}  // namespace detail

/// Returns the version of the library.
inline std::string_view version() noexcept { return detail::text(vitalwire_version()); }

/// A list of an object. An item beyond the end is empty. Valid as long as the object.
template <class Item, class Of, auto Count, auto At>
class list {
 public:
  using c_type = Of;
  using value_type = Item;

  /// An input iterator over the items.
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Item;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Item;

    iterator() noexcept = default;
    iterator(const Of *of, std::size_t index) noexcept : of_(of), index_(index) {}
    Item operator*() const { return detail::item<Item, At>(of_, index_); }
    iterator &operator++() noexcept {
      ++index_;
      return *this;
    }
    iterator operator++(int) noexcept {
      const iterator before = *this;
      ++index_;
      return before;
    }
    friend bool operator==(const iterator &one, const iterator &other) noexcept { return one.index_ == other.index_; }
    friend bool operator!=(const iterator &one, const iterator &other) noexcept { return one.index_ != other.index_; }

   private:
    const Of *of_ = nullptr;
    std::size_t index_ = 0;
  };

  explicit list(const Of *of) noexcept : of_(of) {}

  std::size_t size() const noexcept { return Count(of_); }
  bool empty() const noexcept { return size() == 0; }
  Item operator[](std::size_t index) const { return detail::item<Item, At>(of_, index); }
  iterator begin() const noexcept { return {of_, 0}; }
  iterator end() const noexcept { return {of_, size()}; }

 protected:
  const Of *of_;
};

namespace detail {

/// A view that `owned` inherits from. Specializations delete accessors whose results would dangle.
template <class View, class = void>
class owning_view : public View {
 public:
  using View::View;
};

/// A list that owns its memory. Reading items or iterators of a temporary does not compile, because they would dangle.
template <class View>
class owning_view<View, std::void_t<typename View::iterator>> : public View {
 public:
  using View::View;

  auto operator[](std::size_t index) const & { return View::operator[](index); }
  void operator[](std::size_t index) const && = delete;
  auto begin() const & noexcept { return View::begin(); }
  void begin() const && = delete;
  auto end() const & noexcept { return View::end(); }
  void end() const && = delete;
};

}  // namespace detail

/// The result of a call, which owns its memory. Keep the result in a variable, because views of it must not outlive it. Reading lists,
/// series, records, items or iterators of a temporary does not compile. A text of a temporary is valid until the end of the full
/// expression.
template <class View>
class owned : public detail::owning_view<View> {
 public:
  using c_type = typename View::c_type;

  owned(c_type *of, void (*ends)(c_type *)) noexcept : detail::owning_view<View>(of), kept_(of, ends) {}
  owned(owned &&other) noexcept : detail::owning_view<View>(other), kept_(std::move(other.kept_)) { other.forget(); }
  owned &operator=(owned &&other) noexcept {
    if (this != &other) {
      kept_ = std::move(other.kept_);
      static_cast<View &>(*this) = other;
      other.forget();
    }
    return *this;
  }

 private:
  void forget() noexcept { static_cast<View &>(*this) = View(nullptr); }

  std::unique_ptr<c_type, void (*)(c_type *)> kept_;
};

}  // namespace VITALWIRE_ERRORS
}  // namespace vitalwire

#endif
