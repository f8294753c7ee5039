// Exit 0 when the BLAS library named on the command line is an optimised one: each of them exports
// a function that the reference implementation does not have.
#include <dlfcn.h>

#include <cstdio>

int main(int count, char** arguments) {
  if (count != 2) {
    return 2;
  }
  void* library = dlopen(arguments[1], RTLD_NOW);
  if (library == nullptr) {
    return 2;
  }
  const char* const marks[][2] = {{"openblas_get_config", "OpenBLAS"},
                                  {"MKL_Get_Version", "MKL"},
                                  {"bli_info_get_version_str", "BLIS"},
                                  {"ATL_buildinfo", "ATLAS"}};
  for (const auto& mark : marks) {
    if (dlsym(library, mark[0]) != nullptr) {
      std::printf("%s", mark[1]);
      return 0;
    }
  }
  return 1;
}
