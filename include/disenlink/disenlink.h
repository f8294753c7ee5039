// The whole public interface.
#pragma once

#include "disenlink/datasets.h"
#include "disenlink/error.h"
#include "disenlink/features.h"
#include "disenlink/generate.h"
#include "disenlink/graph.h"
#include "disenlink/interrupt.h"
#include "disenlink/metrics.h"
#include "disenlink/node_names.h"
#include "disenlink/random.h"
#include "disenlink/read.h"
#include "disenlink/statistics.h"
#include "disenlink/threads.h"
