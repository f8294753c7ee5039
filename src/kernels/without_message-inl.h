// Leave-one-out: a link is scored as if its own message had not been sent.
#if defined(DISENLINK_WITHOUT_MESSAGE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_WITHOUT_MESSAGE_INL_H
#undef DISENLINK_WITHOUT_MESSAGE_INL_H
#else
#define DISENLINK_WITHOUT_MESSAGE_INL_H
#endif

#include <hwy/highway.h>

#include "kernels/message_passing-inl.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

// A node's vector on one factor without the message of one neighbour, and what its gradient needs.
template <class Ops, typename T>
struct WithoutMessage {
  const MessagePass<Ops, T>& pass;

  // Below this share of the total nothing but rounding is left after the message is taken out.
  static constexpr T kLeastShare = static_cast<T>(1e-5);

  T remaining(int64_t self, int64_t factor, T weight) const {
    const T total = pass.total(self, factor);
    const T left = total - weight;
    return left > kLeastShare * total ? left : T{0};
  }

  // out = h of `self` on this factor without the message from `other`.
  void vector(int64_t self, int64_t other, int64_t factor, T weight, T* out) const {
    const int64_t width = pass.shape.width;
    const T* z_other = pass.at(pass.z, other, factor);
    if (pass.form.by_sender) {
      Ops::blend(out, T{1}, pass.at(static_cast<const T*>(pass.messages.h), self, factor),
                 -pass.mix() * weight / pass.total(other, factor), z_other, width);
      return;
    }
    const T left = remaining(self, factor, weight);
    if (left == 0) {
      Ops::blend(out, pass.keep(), pass.at(pass.z, self, factor), T{0}, z_other, width);
      return;
    }
    Ops::blend(out, pass.keep(), pass.at(pass.z, self, factor), pass.mix() / left,
               pass.at(static_cast<const T*>(pass.messages.sums), self, factor), width);
    Ops::axpy(out, -pass.mix() * weight / left, z_other, width);
  }

  // Adds to the rows of `self`. slope: gradient of the loss by the product of the two vectors.
  void backward(int64_t self, int64_t other, int64_t factor, T weight, T slope, const T* own,
                const T* others, const NodeGradients<T>& gradients) const {
    const int64_t width = pass.shape.width;
    T* to_z = pass.at(gradients.z, self, factor);
    T* to_h = pass.at(gradients.h, self, factor);
    T& to_total = gradients.totals[self * pass.shape.factors + factor];
    const T total = pass.total(self, factor);
    const T mix = pass.mix();
    if (pass.form.by_sender) {
      Ops::axpy(to_h, slope, others, width);
      Ops::axpy(to_z, -mix * weight / total * slope, own, width);
      to_total += mix * weight / (total * total) * slope *
                  Ops::dot(own, pass.at(pass.z, self, factor), width);
      return;
    }
    const T left = remaining(self, factor, weight);
    if (left == 0) {
      Ops::axpy(to_z, pass.keep() * slope, others, width);
    } else {
      // Message passing will treat to_h as the gradient of the undivided h, so scale it to the
      // smaller total here and take back what that adds too much.
      const T ratio = total / left;
      Ops::axpy(to_h, ratio * slope, others, width);
      Ops::axpy(to_z, pass.keep() * (1 - ratio) * slope, others, width);
      to_total += mix / (total * left) * slope * sum_dot(self, factor, others) +
                  total_slope(self, other, factor, weight, slope, others, left);
    }
    const T other_left = remaining(other, factor, weight);
    if (other_left != 0) {
      Ops::axpy(to_z, -weight * mix / other_left * slope, own, width);
    }
  }

  // What the own edge must give back of its weight's gradient, for the side of `self`.
  T own_edge_slope(int64_t self, int64_t other, int64_t factor, T weight, T slope,
                   const T* others) const {
    const T along = Ops::dot(others, pass.at(pass.z, other, factor), pass.shape.width);
    if (pass.form.by_sender) {
      return -pass.mix() / pass.total(other, factor) * slope * along;
    }
    const T left = remaining(self, factor, weight);
    if (left == 0) {
      return 0;
    }
    return -(pass.mix() / left * slope * along +
             total_slope(self, other, factor, weight, slope, others, left));
  }

 private:
  T sum_dot(int64_t self, int64_t factor, const T* others) const {
    return Ops::dot(others, pass.at(static_cast<const T*>(pass.messages.sums), self, factor),
                    pass.shape.width);
  }

  T total_slope(int64_t self, int64_t other, int64_t factor, T weight, T slope, const T* others,
                T left) const {
    const T along = Ops::dot(others, pass.at(pass.z, other, factor), pass.shape.width);
    return -pass.mix() / (left * left) * slope * (sum_dot(self, factor, others) - weight * along);
  }
};

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
