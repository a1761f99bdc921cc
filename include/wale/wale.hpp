// wale - all public headers.
#pragma once

#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/execution.hpp>
#include <wale/hines.hpp>
#include <wale/layout.hpp>
#include <wale/lu.hpp>
#include <wale/lu_refined.hpp>
#include <wale/matrix.hpp>
#include <wale/matrix_file.hpp>
#include <wale/morphology.hpp>
#include <wale/output_file.hpp>
#include <wale/picture.hpp>
#include <wale/picture_file.hpp>
#include <wale/pivoting.hpp>
#include <wale/reconstruction.hpp>
#include <wale/relayout.hpp>
#include <wale/report.hpp>
#include <wale/sequence.hpp>
#include <wale/sequence_file.hpp>
#include <wale/study.hpp>
#include <wale/tridiagonal.hpp>
#include <wale/variants.hpp>
#include <wale/vectors.hpp>
#include <wale/view.hpp>
#include <wale/wavefront.hpp>
