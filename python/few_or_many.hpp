// few_or_many - memory of short calls, on the stack while it is little.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

namespace wale::python {

/// Trivial elements one after the other, the first `Few` of them without memory of their own: most calls have
/// few.
template <class T, std::size_t Few>
class few_or_many {
public:
    few_or_many() = default;
    few_or_many(const few_or_many&) = delete;
    few_or_many& operator=(const few_or_many&) = delete;

    void reserve(std::size_t wanted) {
        if (wanted <= capacity_) return;
        std::unique_ptr<T[]> more(new T[wanted]);
        std::copy(at_, at_ + size_, more.get());
        many_ = std::move(more);
        at_ = many_.get();
        capacity_ = wanted;
    }
    /// More elements are not set.
    void resize(std::size_t wanted) {
        reserve(wanted);
        size_ = wanted;
    }
    void push_back(const T& value) {
        const T held = value;
        if (size_ == capacity_) reserve(2 * capacity_);
        at_[size_++] = held;
    }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] T* data() { return at_; }
    [[nodiscard]] T* begin() { return at_; }
    [[nodiscard]] T* end() { return at_ + size_; }
    [[nodiscard]] const T* begin() const { return at_; }
    [[nodiscard]] const T* end() const { return at_ + size_; }
    [[nodiscard]] T& operator[](std::size_t k) { return at_[k]; }

private:
    T few_[Few];  // unset beyond the size
    T* at_ = few_;
    std::size_t size_ = 0, capacity_ = Few;
    std::unique_ptr<T[]> many_;
};

}  // namespace wale::python
