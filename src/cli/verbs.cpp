#include "cli/verbs.h"

namespace disenlink::cli {

void add_verbs(CommandLine& line, const std::string& model) {
  CLI::App* data =
      line.app().add_subcommand("data", "List, show, make, convert, split, audit data");
  data->require_subcommand(1);
  line.add(*data, make_data_list());
  line.add(*data, make_data_show());
  line.add(*data, make_data_generate());
  line.add(*data, make_data_convert());
  line.add(*data, make_data_split());
  line.add(*data, make_data_audit());
  line.add(line.app(), make_train(model.empty() ? "disenlink" : model));
  line.add(line.app(), make_eval(model.empty() ? "aa" : model));
  line.add(line.app(), make_predict());
  line.add(line.app(), make_explain());
  line.add(line.app(), make_embed());
  line.add(line.app(), make_analyze());
  line.add(line.app(), make_reproduce());
  line.add(line.app(), make_report());
}

}  // namespace disenlink::cli
