#include "models/baselines/seal_network.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/graph_kernels.h"
#include "nn/linear.h"

namespace disenlink::detail {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr int64_t kRowChannels = 16;
constexpr int64_t kWindowRows = 5;
constexpr int64_t kWindowChannels = 32;

void keep_input(AutogradContext* context, const SharedInput& input) {
  context->saved_data["input"] = c10::IValue::make_capsule(input);
}

SharedInput input_of(AutogradContext* context) {
  return c10::static_intrusive_pointer_cast<SealInput>(context->saved_data["input"].toCapsule());
}

void add_scaled(float* to, const float* from, float scale, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    to[i] += scale * from[i];
  }
}

// H0 w; H0 itself is never made.
struct FirstProduct : torch::autograd::Function<FirstProduct> {
  static Tensor forward(AutogradContext* context, const Tensor& w, const SharedInput& input) {
    keep_input(context, input);
    context->saved_data["rows_of_w"] = w.size(0);
    const int64_t width = w.size(1);
    Tensor out = torch::zeros({input->subgraphs.num_rows(), width});
    const float* const weights = w.data_ptr<float>();
    float* const values = out.data_ptr<float>();
    for (int64_t row = 0; row < out.size(0); ++row) {
      input->for_each_value(row, [&](int64_t column, float value) {
        add_scaled(values + row * width, weights + column * width, value, width);
      });
    }
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const Tensor slope = gradients[0].contiguous();
    const int64_t width = slope.size(1);
    Tensor by_w = torch::zeros({context->saved_data["rows_of_w"].toInt(), width});
    const float* const slopes = slope.data_ptr<float>();
    float* const values = by_w.data_ptr<float>();
    const SharedInput input = input_of(context);
    for (int64_t row = 0; row < slope.size(0); ++row) {
      input->for_each_value(row, [&](int64_t column, float value) {
        add_scaled(values + column * width, slopes + row * width, value, width);
      });
    }
    return {by_w, Tensor()};
  }
};

// (A + I) x
Tensor sum_neighbors(const SealInput& input, const Tensor& x) {
  Tensor out = torch::empty_like(x);
  graph_kernels<float>().aggregate(input.subgraphs.neighbors, {1, x.size(1)}, false,
                                   input.ones.data_ptr<float>(), x.data_ptr<float>(),
                                   out.data_ptr<float>());
  return out;
}

// tanh(D^-1 ((A + I) x + b)) in place of four results that would all be kept.
struct Convolve : torch::autograd::Function<Convolve> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& b,
                        const SharedInput& input) {
    Tensor out = sum_neighbors(*input, x.contiguous()).add_(b).mul_(input->shares).tanh_();
    keep_input(context, input);
    context->save_for_backward({out});
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const SharedInput input = input_of(context);
    const Tensor out = context->get_saved_variables()[0];
    const Tensor slope = at::tanh_backward(gradients[0], out).mul_(input->shares).contiguous();
    return {sum_neighbors(*input, slope), slope.sum(0), Tensor()};
  }
};

// Rows of x, zeros for row -1. rows: (count) without repeats.
struct PickRows : torch::autograd::Function<PickRows> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& rows) {
    context->save_for_backward({rows});
    context->saved_data["rows_of_x"] = x.size(0);
    Tensor out = torch::zeros({rows.size(0), x.size(1)});
    for_each_row(rows, [&, from = x.data_ptr<float>(), to = out.data_ptr<float>(),
                        width = x.size(1)](int64_t place, int64_t row) {
      std::copy_n(from + row * width, width, to + place * width);
    });
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const Tensor slope = gradients[0].contiguous();
    Tensor by_x = torch::zeros({context->saved_data["rows_of_x"].toInt(), slope.size(1)});
    for_each_row(context->get_saved_variables()[0],
                 [&, from = slope.data_ptr<float>(), to = by_x.data_ptr<float>(),
                  width = slope.size(1)](int64_t place, int64_t row) {
                   std::copy_n(from + place * width, width, to + row * width);
                 });
    return {by_x, Tensor()};
  }

 private:
  template <typename Use>
  static void for_each_row(const Tensor& rows, Use&& use) {
    const int64_t* const values = rows.data_ptr<int64_t>();
    for (int64_t place = 0; place < rows.size(0); ++place) {
      if (values[place] >= 0) {
        use(place, values[place]);
      }
    }
  }
};

// The rows that sort pooling keeps of each graph, (graphs * count), -1 where a graph has no more.
// Equal keys stay in the order of the rows; what is not a number comes last.
Tensor highest_rows(const SubgraphBatch& batch, const Tensor& keys, int64_t count) {
  const auto key = [values = keys.data_ptr<float>()](int64_t row) {
    return std::isnan(values[row]) ? -std::numeric_limits<float>::infinity() : values[row];
  };
  Tensor result = torch::full({batch.num_graphs() * count}, -1, torch::kLong);
  std::vector<int64_t> rows;
  for (int64_t graph = 0; graph < batch.num_graphs(); ++graph) {
    rows.resize(batch.offsets[graph + 1] - batch.offsets[graph]);
    std::iota(rows.begin(), rows.end(), batch.offsets[graph]);
    const int64_t taken = std::min(count, static_cast<int64_t>(rows.size()));
    std::partial_sort(rows.begin(), rows.begin() + taken, rows.end(), [&](int64_t a, int64_t b) {
      return key(a) > key(b) || (key(a) == key(b) && a < b);
    });
    std::copy_n(rows.begin(), taken, result.data_ptr<int64_t>() + graph * count);
  }
  return result;
}

}  // namespace

Dgcnn::Dgcnn(ParameterSet& parameters, const SubgraphBounds& bounds, int64_t num_features,
             int64_t hidden, Random& random)
    : bounds_(bounds) {
  const int64_t windows = bounds.pooled_rows / 2 - kWindowRows + 1;
  graph_ = {add(parameters, "graph1", bounds.largest_label + 1 + num_features, hidden),
            add(parameters, "graph2", hidden, hidden), add(parameters, "graph3", hidden, hidden),
            add(parameters, "graph4", hidden, 1)};
  rows_ = add(parameters, "rows", 3 * hidden + 1, kRowChannels);
  windows_ = add(parameters, "windows", kWindowRows * kRowChannels, kWindowChannels);
  dense_ = add(parameters, "dense", windows * kWindowChannels, kDenseUnits);
  out_ = add(parameters, "out", kDenseUnits, 2);
  for (const Layer& layer : {graph_[0], graph_[1], graph_[2], graph_[3], dense_, out_}) {
    fill_glorot(layer.w, random);
  }
  fill_linear(rows_.w, rows_.b, random);
  fill_linear(windows_.w, windows_.b, random);
}

Tensor Dgcnn::logits(const SharedInput& input, const Tensor& dropout) const {
  Tensor dense = torch::relu(dense_layer(read_rows(pool(input)), dense_.w, dense_.b));
  if (dropout.defined()) {
    dense = dense * dropout;
  }
  const Tensor out = dense_layer(dense, out_.w, out_.b);
  return out.select(1, 1) - out.select(1, 0);
}

Dgcnn::Layer Dgcnn::add(ParameterSet& parameters, const std::string& name, int64_t from,
                        int64_t to) {
  Layer layer{parameters.add("w_" + name, {from, to}), parameters.add("b_" + name, {to})};
  weights_.insert(weights_.end(), {layer.w, layer.b});
  return layer;
}

Tensor Dgcnn::pool(const SharedInput& input) const {
  tensor_list h;
  for (const Layer& layer : graph_) {
    const Tensor product =
        h.empty() ? FirstProduct::apply(layer.w, input) : dense_layer(h.back(), layer.w);
    h.push_back(Convolve::apply(product, layer.b, input));
  }
  const Tensor rows = highest_rows(input->subgraphs, h.back(), bounds_.pooled_rows);
  for (Tensor& part : h) {
    part = PickRows::apply(part, rows);
  }
  return torch::cat(h, 1);
}

Tensor Dgcnn::read_rows(const Tensor& rows) const {
  const int64_t half = bounds_.pooled_rows / 2;
  const Tensor read = torch::relu(dense_layer(rows, rows_.w, rows_.b))
                          .view({-1, bounds_.pooled_rows, kRowChannels})
                          .slice(1, 0, 2 * half)
                          .reshape({-1, half, 2, kRowChannels});
  const Tensor larger = torch::maximum(read.select(2, 0), read.select(2, 1));
  // Rows lie one behind the other, so a window is a stretch of memory.
  const Tensor windows = larger.flatten(1).unfold(1, kWindowRows * kRowChannels, kRowChannels);
  return torch::relu(dense_layer(windows.flatten(0, 1), windows_.w, windows_.b))
      .view({larger.size(0), -1});
}

}  // namespace disenlink::detail
