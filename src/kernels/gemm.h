// Matrix products through the system's BLAS, one thread each: callers split the work into fixed
// blocks with parallel_blocks, so results do not depend on the number of threads.
#pragma once

#include <cblas.h>
#include <omp.h>

#include <cstdint>

namespace disenlink::detail {

// Keeps an OpenMP-threaded BLAS from starting threads of its own outside a parallel region.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~SingleThreadedBlas() { omp_set_num_threads(before_); }
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  int before_;
};

enum class Transposed : bool { kNo, kYes };

// c (m, n) = a (m, k) b (k, n) + beta c, row-major with leading dimensions.
template <typename T>
void gemm(Transposed a_form, Transposed b_form, int64_t m, int64_t n, int64_t k, const T* a,
          int64_t a_stride, const T* b, int64_t b_stride, T beta, T* c, int64_t c_stride) {
  const auto form = [](Transposed wanted) {
    return wanted == Transposed::kYes ? CblasTrans : CblasNoTrans;
  };
  const auto as_int = [](int64_t value) { return static_cast<int>(value); };
  if constexpr (sizeof(T) == sizeof(float)) {
    cblas_sgemm(CblasRowMajor, form(a_form), form(b_form), as_int(m), as_int(n), as_int(k), 1.0F, a,
                as_int(a_stride), b, as_int(b_stride), beta, c, as_int(c_stride));
  } else {
    cblas_dgemm(CblasRowMajor, form(a_form), form(b_form), as_int(m), as_int(n), as_int(k), 1.0, a,
                as_int(a_stride), b, as_int(b_stride), beta, c, as_int(c_stride));
  }
}

}  // namespace disenlink::detail
