"""Measures operations of isl: reads a JSON object {op, a, b, got, runs} a line, and answers each with {nanoseconds, verdict}.

The time is that of the isl call alone, less that of an islpy call that does next to nothing and has a result of the same
kind: a copy, or a flag. nanoseconds is 0 where isl has no such operation, or there are no runs.
"""

import gc
import json
import sys
import time

import islpy as isl


def project(s, names):
    tuple_name = s.get_tuple_name()
    for name in names.strip("[]").split():
        pos = s.find_dim_by_name(isl.dim_type.set, name)
        s = s.project_out(isl.dim_type.set, pos, 1)
    return s.set_tuple_name(tuple_name) if tuple_name else s


def fix_param(s, binding):
    name, value = binding.strip("{}").split()
    pos = s.find_dim_by_name(isl.dim_type.param, name)
    if pos < 0:
        return s
    if isinstance(s, (isl.UnionSet, isl.UnionMap)):
        s = s.intersect_params(isl.Set("[%s] -> { : %s = %s }" % (name, name, value)))
    else:
        s = s.fix_val(isl.dim_type.param, pos, isl.Val(value))
    return s.project_out(isl.dim_type.param, pos, 1)


def point_in(s, place):
    """Returns the set of the point of s that place, as in {map[N:5] [1 2]}, has the coordinates of."""
    params, dims = place[len("{map["):-len("]}")].split("] [")
    values = dict(p.split(":") for p in params.split())
    one = isl.Set.universe(s.get_space())
    for pos in range(s.dim(isl.dim_type.param)):
        one = one.fix_val(isl.dim_type.param, pos, isl.Val(values[s.get_dim_name(isl.dim_type.param, pos)]))
    for pos, v in enumerate(dims.split()):
        one = one.fix_val(isl.dim_type.set, pos, isl.Val(v))
    return one


# By the names of package poly, without Set or Map: the operation, and the kinds of its two operands, of
# which "same" is that of the first. Kind Params is a set of parameters, and point a point of the first operand.
OPS = {
    "Union": (lambda a, b: a.union(b), "same"),
    "Intersect": (lambda a, b: a.intersect(b), "same"),
    "Subtract": (lambda a, b: a.subtract(b), "same"),
    "IntersectParams": (lambda a, b: a.intersect_params(b), "Params"),
    "IntersectDomain": (lambda a, b: a.intersect_domain(b), "Set"),
    "IntersectRange": (lambda a, b: a.intersect_range(b), "Set"),
    "ApplyRange": (lambda a, b: a.apply_range(b), "same"),
    "ApplyDomain": (lambda a, b: a.apply_domain(b), "same"),
    "Apply": (lambda a, b: b.apply(a), "Set"),
    "Gist": (lambda a, b: a.gist(b), "same"),
    "GistParams": (lambda a, b: a.gist_params(b), "Params"),
    "Domain": (lambda a, b: a.domain(), None),
    "Range": (lambda a, b: a.range(), None),
    "Inverse": (lambda a, b: a.reverse(), None),
    "Deltas": (lambda a, b: a.deltas(), None),
    "Coalesce": (lambda a, b: a.coalesce(), None),
    "SimpleHull": (lambda a, b: a.simple_hull(), None),
    "LexMin": (lambda a, b: a.lexmin(), None),
    "LexMax": (lambda a, b: a.lexmax(), None),
    "ProjectOut": (project, "text"),
    "FixParam": (fix_param, "text"),
    "Wrap": (lambda a, b: a.wrap(), None),
    "Unwrap": (lambda a, b: a.unwrap(), None),
    "Simplify": (lambda a, b: a.detect_equalities().remove_redundancies(), None),
    "RemoveRedundant": (lambda a, b: a.remove_redundancies(), None),
    "Complement": (lambda a, b: a.complement(), None),
}
FLAGS = {
    "IsEmpty": (lambda a, b: a.is_empty(), None),
    "IsSubset": (lambda a, b: a.is_subset(b), "same"),
    "IsDisjoint": (lambda a, b: a.is_disjoint(b), "same"),
    "IsEqual": (lambda a, b: a.is_equal(b), "same"),
    "Contains": (lambda a, b: b.is_subset(a), "point"),
    "Sample": (lambda a, b: not a.sample().is_empty(), None),
    "Card": (lambda a, b: a.count_val().to_str(), None),
}
SINGLE = {"Set": isl.Set, "Map": isl.Map, "Params": isl.Set, "text": str}
UNION = {"Set": isl.UnionSet, "Map": isl.UnionMap, "Params": isl.Set, "text": str}


def parse_with(kinds, first, second, a, b):
    x = kinds[first](a)
    if second == "point":
        return x, point_in(x, b)
    y = kinds[first if second == "same" else second](b) if second else None
    return x, y


# As in calls.go: nanoseconds that a run lasts at least, unless it has this many calls.
ENOUGH, MAX_BATCH = 20_000, 64


def timed(batch, operands, run):
    """Returns the mean time of a number of calls of run, one after the other, on fresh operands."""
    prepared = [operands() for _ in range(batch)]
    start = time.process_time_ns()
    for a, b in prepared:
        run(a, b)
    return (time.process_time_ns() - start) / batch


def fastest(runs, operands, run):
    """Returns the time of run in the fastest of several runs, and the number of calls in each."""
    first = timed(1, operands, run)
    batch = int(min(max(ENOUGH / max(first, 1), 1), MAX_BATCH))
    return min([first] + [timed(batch, operands, run) for _ in range(runs)]), batch


TINY = isl.Set("{ [i] : i >= 0 }")
RESTS = {}


def rest(kind, batch):
    """Returns what an islpy call takes that does next to nothing, in runs of the same number of calls."""
    if (kind, batch) not in RESTS:
        run = (lambda a, b: a.copy()) if kind == "copy" else (lambda a, b: a.is_params())
        RESTS[kind, batch] = min(timed(batch, lambda: (TINY, TINY), run) for _ in range(200))
    return RESTS[kind, batch]


def as_union(x):
    if isinstance(x, isl.Set):
        return isl.UnionSet.from_set(x)
    return isl.UnionMap.from_map(x) if isinstance(x, isl.Map) else x


def bounded_compare(op, a, b, want, got):
    """Is compare within a bounded number of steps of isl; past them the answer is unknown."""
    if not isinstance(want, (bool, str)):
        want = as_union(want)
        got = type(want)(got)  # isl counts steps of reading as well, and calls too many a syntax error
    context = isl.DEFAULT_CONTEXT
    context.reset_operations()
    context.set_max_operations(200_000)
    try:
        return compare(op, a, b, want, got)
    except isl.Error as e:
        if "maximal number of operations" in str(e):
            return "unknown"
        raise
    finally:
        context.set_max_operations(0)
        context.reset_operations()


def compare(op, a, b, want, got):
    """Returns ok, or what isl says."""
    if isinstance(want, bool):
        return "ok" if got == str(want).lower() else str(want)
    if isinstance(want, str):  # a number of points
        return "ok" if got.strip("{} ") == want else want
    if op == "SimpleHull":  # any superset will do
        return "ok" if as_union(a).is_subset(got) else "a superset"
    if op in ("Gist", "GistParams"):  # any set will do that agrees inside the context
        inside = (lambda x: x.intersect_params(b)) if op == "GistParams" else (lambda x: x.intersect(as_union(b)))
        want, got = inside(want), inside(got)
    return "ok" if want.is_equal(got) else str(want)


def answer(q):
    kind, _, op = q["op"].rpartition(".")
    if q["op"] in ("MustSet", "ParseSet", "MustMap", "ParseMap"):
        op, kind = "parse", q["op"][-3:]
        run, second, result = (lambda a, b: classes[kind](a)), "text", "copy"
    elif op in OPS:
        (run, second), result = OPS[op], "copy"
    elif op in FLAGS:
        (run, second), result = FLAGS[op], "flag"
    else:
        return {"nanoseconds": 0, "verdict": "none"}
    first = "text" if op == "parse" else kind
    classes = SINGLE
    try:  # sets of several tuples are a class of their own in isl
        a, b = parse_with(classes, first, second, q["a"], q["b"])
        want = run(a, b)
    except isl.Error:
        classes = UNION
        a, b = parse_with(classes, first, second, q["a"], q["b"])
        want = run(a, b)
    verdict = bounded_compare(op, a, b, want, q["got"])
    if q["runs"] == 0:
        return {"nanoseconds": 0, "verdict": verdict}
    took, batch = fastest(q["runs"], lambda: parse_with(classes, first, second, q["a"], q["b"]), run)
    return {"nanoseconds": max(round(took - rest(result, batch)), 1), "verdict": verdict}


gc.disable()
for line in sys.stdin:
    q = json.loads(line)
    try:
        print(json.dumps(answer(q)), flush=True)
    except Exception as e:
        print(json.dumps({"nanoseconds": 0, "verdict": "error: " + str(e)}), flush=True)
