"""Builds Harris corners and an unsharp mask with Halide, the arithmetic of testdata/idioms and the schedules of Halide's own apps of those names:

    python halide_build.py DIRECTORY

leaves in DIRECTORY for each an object and a header to call it by: NAME as Halide compiles it, which may change the order of sums and contract, and NAME_strict,
whose values are those of the source.
"""
import sys

import halide as hl

x, y, c, yi, yo = hl.Var("x"), hl.Var("y"), hl.Var("c"), hl.Var("yi"), hl.Var("yo")


def harris(lanes):
    image = hl.ImageParam(hl.Float(32), 2, "image")
    ix, iy, out = hl.Func("ix"), hl.Func("iy"), hl.Func("out")
    ix[x, y] = (image[x + 1, y - 1] - image[x - 1, y - 1] + 2 * (image[x + 1, y] - image[x - 1, y]) + image[x + 1, y + 1] - image[x - 1, y + 1]) / 12.0
    iy[x, y] = (image[x - 1, y + 1] - image[x - 1, y - 1] + 2 * (image[x, y + 1] - image[x, y - 1]) + image[x + 1, y + 1] - image[x + 1, y - 1]) / 12.0

    def window(name, a, b):
        product, total = hl.Func(name), None
        product[x, y] = a[x, y] * b[x, y]
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                one = product[x + dx, y + dy]
                total = one if total is None else total + one
        summed = hl.Func("s" + name)
        summed[x, y] = total
        return summed

    sxx, syy, sxy = window("xx", ix, ix), window("yy", iy, iy), window("xy", ix, iy)
    det = sxx[x, y] * syy[x, y] - sxy[x, y] * sxy[x, y]
    trace = sxx[x, y] + syy[x, y]
    out[x, y] = det - hl.f32(0.04) * trace * trace
    out.split(y, y, yi, 32).parallel(y).vectorize(x, lanes)
    ix.store_at(out, y).compute_at(out, yi).vectorize(x, lanes)
    iy.store_at(out, y).compute_at(out, yi).vectorize(x, lanes)
    ix.compute_with(iy, x)
    return image, out


def unsharp(lanes):
    image = hl.ImageParam(hl.Float(32), 3, "image")
    down, across, out = hl.Func("down"), hl.Func("across"), hl.Func("out")
    down[x, y, c] = (image[x, y - 2, c] + 4 * image[x, y - 1, c] + 6 * image[x, y, c] + 4 * image[x, y + 1, c] + image[x, y + 2, c]) / 16.0
    across[x, y, c] = (down[x - 2, y, c] + 4 * down[x - 1, y, c] + 6 * down[x, y, c] + 4 * down[x + 1, y, c] + down[x + 2, y, c]) / 16.0
    here, blurred = image[x, y, c], across[x, y, c]
    out[x, y, c] = hl.select(hl.abs(here - blurred) < 0.5, here, here * (1 + hl.f32(3)) - blurred * hl.f32(3))
    out.split(y, yo, yi, 32).vectorize(x, lanes).parallel(yo).reorder(x, c, yi, yo)
    down.compute_at(out, yi).store_at(out, yo).vectorize(x, lanes)
    return image, out


def build(directory):
    host = hl.get_host_target()
    for make in (harris, unsharp):
        for name, target in ((make.__name__, host), (make.__name__ + "_strict", host.with_feature(hl.TargetFeature.StrictFloat))):
            image, out = make(target.natural_vector_size(hl.Float(32)))
            outputs = {hl.OutputFileType.object: f"{directory}/{name}.o", hl.OutputFileType.c_header: f"{directory}/{name}.h"}
            out.compile_to(outputs, [image], "halide_" + name, target)


build(sys.argv[1])
