// search - the verb that finds the records of a database that resemble queries.
#pragma once

#include "options.hpp"

namespace wale::cli {

void add_search(CLI::App& app, search_command& o);
int search_database(const search_command& o);

}  // namespace wale::cli
