#include "nn/linear.h"

#include <torch/csrc/autograd/custom_function.h>

#include "kernels/parallel.h"
#include "nn/tensor_type.h"

namespace disenlink::detail {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr int64_t kColumnsPerBlock = 128;

// Every block arranges b anew: few large blocks, but enough of them for some threads.
int64_t rows_per_block(int64_t rows) {
  constexpr int64_t kBlocks = 16;
  constexpr int64_t kLeast = 240;
  return (rows / kBlocks / kLeast + 1) * kLeast;
}

// c = a b + bias in blocks of rows. `across`: b is stored transposed.
Tensor row_product(const Tensor& a, const Tensor& b, const Tensor& bias, bool across) {
  const int64_t depth = a.size(1);
  const int64_t columns = across ? b.size(0) : b.size(1);
  Tensor c = torch::empty({a.size(0), columns}, a.options());
  with_type_of(a, [&](auto zero) {
    using T = decltype(zero);
    parallel_blocks(a.size(0), rows_per_block(a.size(0)), [&](int64_t begin, int64_t end) {
      factor_kernels<T>().multiply(
          {.m = end - begin,
           .n = columns,
           .k = depth,
           .a = {data_of<T>(a) + begin * depth, depth},
           .b = across ? MatrixView<T>{data_of<T>(b), 1, depth}
                       : MatrixView<T>{data_of<T>(b), columns},
           .c = data_of<T>(c) + begin * columns,
           .c_step = columns,
           .bias = bias.defined() && bias.numel() > 0 ? data_of<T>(bias) : nullptr});
    });
  });
  return c;
}

// a^T b in blocks of the result's columns.
Tensor gradient_product(const Tensor& a, const Tensor& b) {
  Tensor c = torch::empty({a.size(1), b.size(1)}, a.options());
  with_type_of(a, [&](auto zero) {
    using T = decltype(zero);
    parallel_blocks(b.size(1), kColumnsPerBlock, [&](int64_t begin, int64_t end) {
      factor_kernels<T>().multiply({.m = a.size(1),
                                    .n = end - begin,
                                    .k = a.size(0),
                                    .a = {data_of<T>(a), 1, a.size(1)},
                                    .b = {data_of<T>(b) + begin, b.size(1)},
                                    .c = data_of<T>(c) + begin,
                                    .c_step = b.size(1)});
    });
  });
  return c;
}

Tensor column_sums(const Tensor& values) {
  Tensor sums = torch::empty({values.size(1)}, values.options());
  with_type_of(values, [&](auto zero) {
    using T = decltype(zero);
    factor_kernels<T>().column_sums(values.size(0), values.size(1), data_of<T>(values),
                                    data_of<T>(sums));
  });
  return sums;
}

// libtorch 1.13 takes no undefined tensor as an argument of a function with gradients.
Tensor or_empty(const Tensor& bias, const Tensor& like) {
  return bias.defined() ? bias : torch::empty({0}, like.options());
}

struct Linear : torch::autograd::Function<Linear> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& w,
                        const Tensor& b) {
    const Tensor rows = x.contiguous();
    const Tensor weights = w.contiguous();
    context->save_for_backward({rows, weights});
    context->saved_data["has_bias"] = b.numel() > 0;
    context->saved_data["x_has_gradient"] = x.requires_grad();
    return row_product(rows, weights, b, false);
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor slope = gradients[0].contiguous();
    return {context->saved_data["x_has_gradient"].toBool() ? row_product(slope, saved[1], {}, true)
                                                           : Tensor(),
            gradient_product(saved[0], slope),
            context->saved_data["has_bias"].toBool() ? column_sums(slope) : Tensor()};
  }
};

struct Project : torch::autograd::Function<Project> {
  static Tensor forward(AutogradContext* context, const Tensor& w, const Tensor& b,
                        const InputMatrix<float>* input) {
    const int64_t width = w.size(1);
    context->saved_data["input"] = reinterpret_cast<int64_t>(input);
    context->saved_data["has_bias"] = b.numel() > 0;
    Tensor out = torch::empty({input->rows(), width});
    const Tensor bias = b.numel() > 0 ? b : torch::zeros({width});
    input->project(factor_kernels<float>(), width, w.data_ptr<float>(), bias.data_ptr<float>(),
                   false, out.data_ptr<float>());
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto* input =
        reinterpret_cast<const InputMatrix<float>*>(context->saved_data["input"].toInt());
    const Tensor slope = gradients[0].contiguous();
    Tensor w_gradient = torch::empty({input->columns(), slope.size(1)});
    Tensor b_gradient = torch::empty({slope.size(1)});
    input->project_backward(factor_kernels<float>(), slope.size(1), slope.data_ptr<float>(),
                            w_gradient.data_ptr<float>(), b_gradient.data_ptr<float>());
    return {w_gradient, context->saved_data["has_bias"].toBool() ? b_gradient : Tensor(), Tensor()};
  }
};

}  // namespace

Tensor dense_layer(const Tensor& x, const Tensor& w, const Tensor& b) {
  return Linear::apply(x, w, or_empty(b, w));
}

Tensor project(const InputMatrix<float>& input, const Tensor& w, const Tensor& b) {
  return Project::apply(w, or_empty(b, w), &input);
}

}  // namespace disenlink::detail
