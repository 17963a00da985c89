"""Checks results of package poly with isl: reads a JSON list [op, a, b, x, got] a line, and answers each with a line: ok;
undecided, where isl would take more than a bounded number of steps; or what isl says. Where isl takes more than a bounded
time of the processor, which it does now and then without counting steps, a signal ends the process."""

import json
import signal
import sys

import islpy as isl

MAX_OPERATIONS, MAX_SECONDS = 400_000, 2
SET, PARAM, IN, OUT = isl.dim_type.set, isl.dim_type.param, isl.dim_type.in_, isl.dim_type.out


def uset(text):
    return text if isinstance(text, isl.UnionSet) else isl.UnionSet(text)


def umap(text):
    return isl.UnionMap(text)


def params(text):
    return isl.Set(text).params()


def named(s, like):
    """Returns s with the tuple name of like, which isl does not keep."""
    name = like.get_tuple_name()
    return s.set_tuple_name(name) if name else s


def numbers(x):
    return [int(n) for n in x.split()]


def project(s, x):
    for name in x.split():
        at = s.find_dim_by_name(SET, name)
        if at >= 0:
            s = named(s.project_out(SET, at, 1), s)
        elif s.find_dim_by_name(PARAM, name) >= 0:
            s = s.project_out(PARAM, s.find_dim_by_name(PARAM, name), 1)
    return s


def fix(s, kind, x):
    at, v = numbers(x)
    return s.fix_val(kind, at, v)


def fix_param(s, x):
    name, v = x.split()
    at = s.find_dim_by_name(PARAM, name)
    return s if at < 0 else s.fix_val(PARAM, at, int(v)).project_out(PARAM, at, 1)


def insert(s, x):
    at, n = numbers(x)
    return named(s.insert_dims(SET, at, n), s)


def permute(s, x):
    order = numbers(x)
    names = ["x%d" % i for i in range(len(order))]
    name = s.get_tuple_name() or ""
    to = [names[i] for i in order]
    return s.apply(isl.Map("{ %s[%s] -> %s[%s] }" % (name, ", ".join(names), name, ", ".join(to))))


def dim_to_param(s, x):
    at, name = x.split()
    n = s.dim(PARAM)
    return named(s.move_dims(PARAM, n, SET, int(at), 1).set_dim_name(PARAM, n, name), s)


def param_to_dim(s, x):
    at, name = x.split()
    return named(s.move_dims(SET, int(at), PARAM, s.find_dim_by_name(PARAM, name), 1), s)


def rename_param(s, x):
    old, new = x.split()
    at = s.find_dim_by_name(PARAM, old)
    return s if at < 0 else s.set_dim_name(PARAM, at, new)


def rename(s, kind, x):
    old, new = x.split()
    at = [] if isinstance(s, isl.Set) else [kind]
    name = s.get_tuple_name(*at) if s.has_tuple_name(*at) else ""
    return s.set_tuple_name(*at, new) if name == old else s


# By operation: how to read a and b, and what isl does; the result is compared as a set or relation.
EQUAL = {
    "Set.Parse": (uset, None, lambda a, b, x: a),
    "Map.Parse": (umap, None, lambda a, b, x: a),
    "Set.Union": (uset, uset, lambda a, b, x: a.union(b)),
    "Map.Union": (umap, umap, lambda a, b, x: a.union(b)),
    "Set.Intersect": (uset, uset, lambda a, b, x: a.intersect(b)),
    "Map.Intersect": (umap, umap, lambda a, b, x: a.intersect(b)),
    "Set.IntersectParams": (uset, params, lambda a, b, x: a.intersect_params(b)),
    "Map.IntersectParams": (umap, params, lambda a, b, x: a.intersect_params(b)),
    "Set.Subtract": (uset, uset, lambda a, b, x: a.subtract(b)),
    "Map.Subtract": (umap, umap, lambda a, b, x: a.subtract(b)),
    "Set.Complement": (uset, None, lambda a, b, x: a.universe().subtract(a)),
    "Map.Complement": (umap, None, lambda a, b, x: a.universe().subtract(a)),
    "Set.Product": (uset, uset, lambda a, b, x: a.product(b)),
    "Set.FlatProduct": (isl.Set, isl.Set, lambda a, b, x: a.flat_product(b)),
    "Set.Relate": (uset, uset, lambda a, b, x: isl.UnionMap.from_domain_and_range(a, b)),
    "Map.Product": (umap, umap, lambda a, b, x: a.product(b)),
    "Map.RangeProduct": (umap, umap, lambda a, b, x: a.range_product(b)),
    "Map.DomainProduct": (umap, umap, lambda a, b, x: a.domain_product(b)),
    "Map.FlatProduct": (isl.Map, isl.Map, lambda a, b, x: a.flat_product(b)),
    "Map.FlatRangeProduct": (umap, umap, lambda a, b, x: a.flat_range_product(b)),
    "Map.FlatDomainProduct": (umap, umap, lambda a, b, x: a.flat_domain_product(b)),
    "Map.Inverse": (umap, None, lambda a, b, x: a.reverse()),
    "Map.Domain": (umap, None, lambda a, b, x: a.domain()),
    "Map.Range": (umap, None, lambda a, b, x: a.range()),
    "Map.ApplyRange": (umap, umap, lambda a, b, x: a.apply_range(b)),
    "Map.ApplyDomain": (umap, umap, lambda a, b, x: a.apply_domain(b)),
    "Map.Apply": (umap, uset, lambda a, b, x: b.apply(a)),
    "Map.IntersectDomain": (umap, uset, lambda a, b, x: a.intersect_domain(b)),
    "Map.IntersectRange": (umap, uset, lambda a, b, x: a.intersect_range(b)),
    "Map.Deltas": (umap, None, lambda a, b, x: a.deltas()),
    "Map.DeltasMap": (umap, None, lambda a, b, x: a.deltas_map()),
    "Map.DomainMap": (umap, None, lambda a, b, x: a.domain_map()),
    "Map.RangeMap": (umap, None, lambda a, b, x: a.range_map()),
    "Map.Wrap": (umap, None, lambda a, b, x: a.wrap()),
    "Set.Unwrap": (uset, None, lambda a, b, x: a.unwrap()),
    "Map.Zip": (umap, None, lambda a, b, x: a.zip()),
    "Map.Curry": (umap, None, lambda a, b, x: a.curry()),
    "Map.Uncurry": (umap, None, lambda a, b, x: a.uncurry()),
    "Set.ProjectOut": (isl.Set, None, lambda a, b, x: project(a, x)),
    "Set.FixDim": (isl.Set, None, lambda a, b, x: fix(a, SET, x)),
    "Map.FixIn": (isl.Map, None, lambda a, b, x: fix(a, IN, x)),
    "Map.FixOut": (isl.Map, None, lambda a, b, x: fix(a, OUT, x)),
    "Set.FixParam": (isl.Set, None, lambda a, b, x: fix_param(a, x)),
    "Map.FixParam": (isl.Map, None, lambda a, b, x: fix_param(a, x)),
    "Set.InsertDims": (isl.Set, None, lambda a, b, x: insert(a, x)),
    "Set.PermuteDims": (isl.Set, None, lambda a, b, x: permute(a, x)),
    "Set.DimToParam": (isl.Set, None, lambda a, b, x: dim_to_param(a, x)),
    "Set.ParamToDim": (isl.Set, None, lambda a, b, x: param_to_dim(a, x)),
    "Set.ParamDomain": (uset, None, lambda a, b, x: isl.UnionSet.from_set(a.params())),
    "Set.RenameParam": (isl.Set, None, lambda a, b, x: rename_param(a, x)),
    "Map.RenameParam": (isl.Map, None, lambda a, b, x: rename_param(a, x)),
    "Set.RenameTuple": (isl.Set, None, lambda a, b, x: rename(a, SET, x)),
    "Map.RenameIn": (isl.Map, None, lambda a, b, x: rename(a, IN, x)),
    "Map.RenameOut": (isl.Map, None, lambda a, b, x: rename(a, OUT, x)),
    "Set.RenameDims": (uset, None, lambda a, b, x: a),
    "Set.Identity": (uset, None, lambda a, b, x: a.identity()),
    "Set.LexLess": (uset, uset, lambda a, b, x: a.lex_lt_union_set(b)),
    "Set.LexLessEqual": (uset, uset, lambda a, b, x: a.lex_le_union_set(b)),
    "Set.LexMin": (uset, None, lambda a, b, x: a.lexmin()),
    "Set.LexMax": (uset, None, lambda a, b, x: a.lexmax()),
    "Map.LexMin": (umap, None, lambda a, b, x: a.lexmin()),
    "Map.LexMax": (umap, None, lambda a, b, x: a.lexmax()),
    "Set.PwLexMin": (uset, None, lambda a, b, x: a.lexmin()),
    "Set.PwLexMax": (uset, None, lambda a, b, x: a.lexmax()),
    "Map.PwLexMin": (umap, None, lambda a, b, x: a.lexmin()),
    "Map.PwLexMax": (umap, None, lambda a, b, x: a.lexmax()),
    "Map.Function": (umap, None, lambda a, b, x: a),
    "Set.Coalesce": (uset, None, lambda a, b, x: a.coalesce()),
    "Map.Coalesce": (umap, None, lambda a, b, x: a.coalesce()),
    "Set.Simplify": (uset, None, lambda a, b, x: a.detect_equalities().remove_redundancies()),
    "Map.Simplify": (umap, None, lambda a, b, x: a.detect_equalities().remove_redundancies()),
    "Set.RemoveRedundant": (uset, None, lambda a, b, x: a.remove_redundancies()),
    "Map.RemoveRedundant": (umap, None, lambda a, b, x: a.remove_redundancies()),
    "Set.Scan": (uset, None, lambda a, b, x: a),
}
# Those that answer yes or no.
FLAGS = {
    "Set.IsEmpty": (uset, None, lambda a, b: a.is_empty()),
    "Map.IsEmpty": (umap, None, lambda a, b: a.is_empty()),
    "Set.IsSubset": (uset, uset, lambda a, b: a.is_subset(b)),
    "Map.IsSubset": (umap, umap, lambda a, b: a.is_subset(b)),
    "Set.IsDisjoint": (uset, uset, lambda a, b: a.is_disjoint(b)),
    "Set.IsEqual": (uset, uset, lambda a, b: a.is_equal(b)),
    "Map.IsEqual": (umap, umap, lambda a, b: a.is_equal(b)),
    "Map.IsSingleValued": (isl.Map, None, lambda a, b: a.is_single_valued()),
}


def union(x):
    """Returns a set or relation as a union."""
    if isinstance(x, (isl.BasicSet, isl.BasicMap)):
        x = x.to_set() if isinstance(x, isl.BasicSet) else x.to_map()
    if isinstance(x, isl.Set):
        x = isl.UnionSet.from_set(x)
    if isinstance(x, isl.UnionSet):
        return uset(x)
    return isl.UnionMap.from_map(x) if isinstance(x, isl.Map) else x


def compare(want, got):
    return "ok" if want.is_equal(got) else str(want.coalesce())


def equal(op, a, b, x, got):
    read_a, read_b, run = EQUAL[op]
    want = union(run(read_a(a), read_b(b) if read_b else None, x))
    if "PwLex" in op or op == "Map.Function":
        isl.UnionPwMultiAff(got)  # isl reads it as a function
    return compare(want, uset(got) if isinstance(want, isl.UnionSet) else umap(got))


def flag(op, a, b, x, got):
    read_a, read_b, run = FLAGS[op]
    want = "true" if run(read_a(a), read_b(b) if read_b else None) else "false"
    return "ok" if want == got else want


def read_like(op):
    return umap if op.startswith("Map") else uset


def gist(op, a, b, x, got):
    """Any result will do that agrees inside the context."""
    read = read_like(op)
    if op == "Map.GistParams":
        return compare(read(a).intersect_params(params(b)), read(got).intersect_params(params(b)))
    return compare(read(a).intersect(read(b)), read(got).intersect(read(b)))


def simple_hull(op, a, b, x, got):
    """Any superset will do; that it has one part for each tuple is checked in Go."""
    read = read_like(op)
    return "ok" if read(a).is_subset(read(got)) else "a superset"


def convex_hull(op, a, b, x, got):
    """Equal where all vertices are integers (x is exact), and otherwise a superset."""
    read = read_like(op)
    if x == "exact":
        single = isl.Map if op.startswith("Map") else isl.Set
        return compare(union(single(a).convex_hull()), read(got))
    return simple_hull(op, a, b, x, got)


def affine_hull(op, a, b, x, got):
    """isl's hull may have other constraints of divs; ours has at least its equalities, and the strides of all dimensions."""
    read = read_like(op)
    single = isl.Map if op.startswith("Map") else isl.Set
    hull = single(a).affine_hull()
    if not read(a).is_subset(read(got)):
        return "at least " + a
    if not read(got).is_subset(union(hull.remove_divs())):
        return "at most " + str(hull)
    if read(got).is_empty():
        return "ok"
    want, have = single.from_basic_set(hull) if single is isl.Set else hull.to_map().wrap(), single(got)
    have = have if single is isl.Set else have.wrap()
    for i in range(want.dim(SET)):
        if int(have.get_stride(i).to_python()) % int(want.get_stride(i).to_python()) != 0 and want.get_stride(i).to_python() != 0:
            return "strides of " + str(hull)
    return "ok"


def sample(op, a, b, x, got):
    s, point = union(read_like(op)(a)), union(read_like(op)(got))
    if point.is_empty() or s.is_empty():
        return "ok" if point.is_empty() == s.is_empty() else "empty: " + str(s.is_empty())
    return "ok" if point.is_subset(s) else "no point of it"


def closure(op, a, b, exact, got):
    """A superset; equal to isl's where both are exact, and inside isl's where ours is. Where isl's is exact it is inside ours."""
    m, got = umap(a), umap(got)
    want, isl_exact = m.transitive_closure()
    if not m.is_subset(got):
        return "a superset of the relation"
    if isl_exact and not want.is_subset(got):
        return "at least " + str(want)
    if exact == "true":
        if not got.is_subset(want):
            return "at most " + str(want)
        if not got.is_equal(m.union(got.apply_range(m))):
            return "no fixed point"
    return "ok"


def window(f, x):
    """Yields the points (params and dimensions) of the domain of f with values in the range x."""
    lo, hi = numbers(x)
    space = f.get_domain_space()
    kinds = [(PARAM, i) for i in range(space.dim(PARAM))] + [(SET, i) for i in range(space.dim(SET))]

    def walk(point, rest):
        if not rest:
            yield point
            return
        for v in range(lo, hi + 1):
            yield from walk(point.set_coordinate_val(*rest[0], isl.Val(v)), rest[1:])

    yield from walk(isl.Set.universe(space).sample_point(), kinds)


# Functions that are 0 everywhere, with a parameter; adding them gives others their space.
NUMBER, FUNCTION = isl.PwQPolynomial("[N] -> { 0 }"), isl.PwQPolynomial("[N] -> { A[x] -> 0 }")


def as_function(text, zero):
    """Reads a Count; one that is 0 everywhere does not say its domain."""
    f = isl.PwQPolynomial(text)
    return zero if f.get_domain_space().dim(SET) != zero.get_domain_space().dim(SET) else f.add(zero)


COUNTS = {
    "Count.Plus": lambda f, g: f.add(g),
    "Count.Minus": lambda f, g: f.sub(g),
    "Count.Times": lambda f, g: f.mul(g),
}


def count_algebra(op, a, b, x, got):
    f, got = as_function(a, FUNCTION), as_function(got, FUNCTION)
    if op in COUNTS:
        f = COUNTS[op](f, as_function(b, FUNCTION))
    elif op == "Count.Scale":
        f = f.scale_val(isl.Val(b))
    elif op != "Count.Coalesce":  # IntersectDomain, and Gist inside of the context
        s = isl.Set(b).align_params(FUNCTION.get_domain_space().params())
        f = f.intersect_domain(s)
        if op == "Count.Gist":
            got = got.intersect_domain(s)
    for point in window(f, x):
        v, w = f.eval(point), got.eval(point)
        if not v.eq(w):
            return f"{v} and not {w} at {point}"
    return "ok"


def card(op, a, b, x, got):
    """Counts point by point: counts in closed form are not isl's but those of barvinok, which has no Python module."""
    zero = NUMBER if op == "Set.Card" else FUNCTION
    f = as_function(got, zero)
    m = isl.Map.from_range(isl.Set(a)) if op == "Set.Card" else isl.Map(a)
    m = m.align_params(zero.get_domain_space().params())
    columns = [(PARAM, 0)] + [(IN, i) for i in range(m.dim(IN))]
    for point in window(f, x):
        part = m
        for kind, i in columns:
            part = part.fix_val(kind, i, point.get_coordinate_val(SET if kind == IN else kind, i))
        want, value = part.range().project_out(PARAM, 0, 1).count_val(), f.eval(point)
        if not want.eq(value):
            return f"{want} and not {value} at {point}"
    return "ok"


LAWS = {
    "Set.Gist": gist, "Map.Gist": gist, "Map.GistParams": gist,
    "Set.SimpleHull": simple_hull, "Map.SimpleHull": simple_hull,
    "Set.RationalConvexHull": convex_hull, "Map.RationalConvexHull": convex_hull,
    "Set.AffineHull": affine_hull, "Map.AffineHull": affine_hull, "Basic.ImplicitEqualities": affine_hull,
    "Set.SamplePoint": sample, "Set.Sample": sample, "Map.Sample": sample,
    "Map.TransitiveClosure": closure,
    "Set.Card": card, "Map.Card": card,
}


def answer(op, a, b, x, got):
    if op in EQUAL:
        return equal(op, a, b, x, got)
    if op in FLAGS:
        return flag(op, a, b, x, got)
    return LAWS.get(op, count_algebra)(op, a, b, x, got)


def bounded(*question):
    context = isl.DEFAULT_CONTEXT
    context.reset_operations()
    context.set_max_operations(MAX_OPERATIONS)
    try:
        return answer(*question)
    except isl.Error as e:
        if "maximal number of operations" in str(e):
            return "undecided"
        context.set_max_operations(0)  # within its parser, the bound shows as an error of syntax
        try:
            return answer(*question)
        except isl.Error as e:
            return "error: " + str(e)
    finally:
        context.set_max_operations(0)


for line in sys.stdin:
    signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)
    print(bounded(*json.loads(line)).replace("\n", " "), flush=True)
    signal.setitimer(signal.ITIMER_PROF, 0)
