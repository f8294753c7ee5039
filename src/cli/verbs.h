// Every verb, in the order of the help; each is defined in the file of its name.
#pragma once

#include <memory>
#include <string>

#include "cli/verb.h"

namespace disenlink::cli {

// model: the method that the command line names, whose options the verbs then have; empty = none.
void add_verbs(CommandLine& line, const std::string& model);

std::unique_ptr<Verb> make_data_list();
std::unique_ptr<Verb> make_data_show();
std::unique_ptr<Verb> make_data_generate();
std::unique_ptr<Verb> make_data_convert();
std::unique_ptr<Verb> make_data_split();
std::unique_ptr<Verb> make_data_audit();
std::unique_ptr<Verb> make_train(const std::string& model);
std::unique_ptr<Verb> make_eval(const std::string& model);
std::unique_ptr<Verb> make_predict();
std::unique_ptr<Verb> make_explain();
std::unique_ptr<Verb> make_embed();
std::unique_ptr<Verb> make_analyze();
std::unique_ptr<Verb> make_reproduce();
std::unique_ptr<Verb> make_report();

}  // namespace disenlink::cli
