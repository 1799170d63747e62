/* SPDX-License-Identifier: BSD-3-Clause */
/* Max and min of infinities, zeros and NaN: results that any order of comparisons must give. */
#include "harness/check.h"
#include "harness/types.h"
#include "team/shapes.h"

#include <math.h>

#define NAME float
#define TYPE float
#include "coll/extremes.inc"
#undef NAME
#undef TYPE

#define NAME double
#define TYPE double
#include "coll/extremes.inc"
#undef NAME
#undef TYPE

#define NAME longdouble
#define TYPE long double
#include "coll/extremes.inc"
#undef NAME
#undef TYPE

int main(void)
{
    struct shape shapes[MAX_SHAPES];
    int n_shapes;

    check_init("coll/extremes");
    n_shapes = shapes_open(shapes);
    for (int s = 0; s < n_shapes; s++) {
        if (shapes[s].my_pe < 0)
            continue;
        test_extremes_float(&shapes[s]);
        test_extremes_double(&shapes[s]);
        test_extremes_longdouble(&shapes[s]);
    }
    shapes_close(shapes, n_shapes);
    return check_finish();
}
