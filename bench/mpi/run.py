#!/usr/bin/env python3
"""Heat in two and three dimensions, and a Laplacian, on ranks: tiles by hexcc beside an exchange after each step.

    run.py measure [--hexcc HEXCC] [--mpicc MPICC] [--mpirun MPIRUN] [--only CASE] > measured.json
    run.py scale   [--hexcc HEXCC] [--costs measured.json] [--only CASE] > scale.json
    run.py table scale.json
    run.py plot scale.json > scale.svg

measure runs both on one rank and on two of this machine, by turns, three times each, and says seconds, messages and bytes (counted between the program and MPI),
and what a point takes on one rank,
in time of its processor: that of other programs does not count. scale runs the program that hexcc made under SimGrid's SMPI (Debian: simgrid, libsimgrid-dev), up to 1024 ranks, on a
platform with these latencies and bandwidths. There tiles and rows are not computed: each takes as long as its points do by measure.
Only the calls of the functions of tiles, and of copies to and from messages, are renamed in the C, to ones that let that time pass.
"""
import argparse, json, math, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# grids of a rank in weak scaling and of all in strong, which begins with the fewest ranks for which SMPI can map the arrays, in tiles along the first dimension; the extents of the others; steps
CASES = {
    "heat-2d": {"file": "heat2d", "grid": {"n": 8192, "m": 8192, "steps": 192}, "tiles": 8, "rest": [8192, 1], "strong": 2048, "fewest": 1, "real": [4096, 8192, 1, 96]},
    "heat-3d": {"file": "heat3d", "grid": {"n": 512, "m": 256, "l": 256, "steps": 96}, "tiles": 8, "rest": [256, 256], "strong": 1024, "fewest": 16, "real": [960, 256, 256, 64]},
}
CASES["laplacian-3d"] = {**CASES["heat-3d"], "file": "laplacian3d"}
RANKS = [1, 16, 128, 1024]
# strong scaling where tiles along the first dimension run out, on grids of ranks: extents, steps, ranks
GRIDS = {
    "heat-2d": {"grid": {"n": 8192, "m": 8192, "steps": 480}, "real": [8192, 8192, 1, 480], "ranks": [1, 4, 16, 32, 64, 128, 256]},
    "heat-3d": {"grid": {"n": 512, "m": 512, "l": 512, "steps": 480}, "real": [512, 512, 512, 480], "ranks": [1, 4, 8, 16, 32, 64, 128]},
}
LATENCY, BANDWIDTH = 1e-6, 12.5e9  # from one host to another; seconds, bytes per second


def run(*args, **more):
    return subprocess.run([str(a) for a in args], check=True, capture_output=True, text=True, **more).stdout


def chosen(cases, o):
    return {name: c for name, c in cases.items() if o.only in (None, name)}


def translate(hexcc, case, folder, sizes=None):
    c = CASES[case]
    grid = ["--grid=" + ",".join(f"{k}={v}" for k, v in (sizes or c["grid"]).items())]
    source = os.path.join(HERE, c["file"] + ".c")
    base = os.path.join(folder, c["file"] + ("-grid" if sizes else ""))
    run(hexcc, "-q", "--force", "--target=mpi", "--rank-grid=on", "--cpu=native", *grid, "-o", base, source)
    tile = json.loads(run(hexcc, "inspect", "--target=mpi", "--format=json", "--cpu=native", *grid, source))["tile"]
    return base, tile


def tables(tile):
    """The rows of tiles, by phase and step."""
    first, second = ([p["dims"][d] for p in tile["phases"]] for d in (0, 1))
    assert all(d["drift"] == 0 for d in first + second)
    numbers = lambda values: "{" + ", ".join(map(str, values)) + "}"
    rows = lambda dims, k: numbers(numbers(d[k]) for d in dims)
    return f"""enum {{ HEIGHT = {tile['height']}, STRIDE = {first[0]['stride']}, STRIDE1 = {second[0]['stride']} }};
static const long shift[] = {numbers(p['timeShift'] for p in tile['phases'])}, offset[] = {numbers(d['offset'] for d in first)}, offset1[] = {numbers(d['offset'] for d in second)};
static const long lo[][HEIGHT] = {rows(first, 'lo')}, hi[][HEIGHT] = {rows(first, 'hi')}, lean[][HEIGHT] = {rows(second, 'lo')};
"""


def flags(case, base):
    name = os.path.basename(base)
    return ["-O3", "-march=native", "-ffp-contract=off", "-I" + os.path.dirname(base), f'-DHEADER="{name}.hex.h"'] + {"heat-3d": ["-DHEAT3D"], "laplacian-3d": ["-DHEAT3D", "-DLAPLACIAN3D"]}.get(case, [])


def simulated(case, base, tile):
    """A program for SMPI."""
    with open(base + ".hex.c") as f:
        text = f.read()
    # in rows, phases 0 and 1, and in chains, each in two parts
    text, tiles = re.subn(r"hexcc_\w+_phases\(T, S0, (\d), n,[^;]*?,\s*([^,;]*),\s*([^,;]*)\);", r"simulated_tile(\1, T, S0, \2, \3, n, m, hexcc_inner, steps);", text)
    text, copies = re.subn(r"heat_mpi_message\(HEXCC_(?:UN)?PACK,", r"simulated_copy(0,", text)
    text, beside = re.subn(r"heat_mpi_beside\(HEXCC_(?:UN)?PACK,", r"simulated_beside(0,", text)
    text, chains = re.subn(r"heat_mpi_chain\(mode,", r"simulated_chain(mode,", text)
    assert (tiles, copies, beside, chains) == (6, 2, 2, 1), (tiles, copies, beside, chains)
    with open(base + ".sim.c", "w") as f:
        f.write(text)
    with open(base + ".tables.h", "w") as f:
        f.write(tables(tile))
    name = os.path.basename(base)
    run("smpicc", *flags(case, base), "-w", "-DSIMULATED", f'-DFILE_C="{name}.sim.c"', f'-DTABLES="{name}.tables.h"', os.path.join(HERE, "scale.c"), "-o", base + ".sim")
    return base + ".sim"


def platform(folder, hosts):
    path = os.path.join(folder, f"cluster{hosts}.xml")
    with open(path, "w") as f:  # each message goes through the links of two hosts
        f.write(f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="node-" suffix="" radical="0-{hosts - 1}" speed="1Gf" bw="{BANDWIDTH / 1e9}GBps" lat="{LATENCY / 2 * 1e9:.0f}ns"/>
</platform>
""")
    with open(path + ".hosts", "w") as f:
        f.write("".join(f"node-{i}\n" for i in range(hosts)))
    return path


def smpi(program, folder, ranks, *args):
    """Seconds, and rows and columns of ranks; None where there are too few tiles."""
    path = platform(folder, ranks)
    try:
        out = run("smpirun", "-np", ranks, "-platform", path, "-hostfile", path + ".hosts", "--cfg=smpi/simulate-computation:no", "--cfg=smpi/auto-shared-malloc-thresh:65536",
                  "--cfg=smpi/privatization:no", "--cfg=smpi/lat-factor:0:1", "--cfg=smpi/bw-factor:0:1", "--cfg=smpi/shared-malloc-blocksize:134217728", "--cfg=smpi/test:1e-6", "--cfg=smpi/grow-injected-times:no",
                  *(["--cfg=smpi/coll-selector:ompi"] if ranks > 1 else []), "--log=root.thres:critical", program, *args)
    except subprocess.CalledProcessError as e:
        if "can be shared out" in e.stderr:
            return None
        raise RuntimeError(e.stderr) from e
    line = [line for line in out.splitlines() if re.match(r"(tiles|steps) \d", line)][0].split()
    return float(line[2]), [int(x) for x in line[-2:]]


def rows(case, tile, tiles):
    """Rows of a grid that has so many tiles."""
    stride = tile["phases"][0]["dims"][0]["stride"]
    return stride * tiles - stride // 2 - 8


def model(case, tile, tiles, ranks, cost, copy):
    """Seconds that tiles take, by counting: the rank that has most tiles computes those and packs, and waits for what its other tiles do not hide;
    without what ranks send before the first phase, once."""
    c = CASES[case]
    inner = (c["rest"][0] - 2) * max(1, c["rest"][1] - 2)
    dims = [p["dims"][0] for p in tile["phases"]]
    points = [sum(h - l + 1 for l, h in zip(d["lo"], d["hi"])) * inner for d in dims]
    mine = math.ceil(tiles / ranks)
    steps = c["grid"]["steps"]
    compute = min(sum(points) * mine / tile["height"], (rows(case, tile, tiles) - 2) * inner) * cost * 1e-9 * steps
    size = tile["height"] * inner * 4
    turns = 2 * steps / tile["height"]
    wait = LATENCY + size / BANDWIDTH
    hidden = max(0, mine - 2) * points[0] * cost * 1e-9
    share = 0 if ranks == 1 else turns * (2 * size * copy * 1e-9 + max(0, wait - hidden)) + 3 * math.ceil(math.log2(ranks)) * LATENCY
    return compute + share


def scale(o):
    with open(o.costs) as f:
        measured = json.load(f)
    costs, copies = measured["cost"], measured["copy"]
    out = {"costs": costs, "latency": LATENCY, "bandwidth": BANDWIDTH, "copy": copies, "cases": {}, "grids": {}}
    with tempfile.TemporaryDirectory() as folder:
        for case, c in chosen(GRIDS, o).items():
            base, tile = translate(o.hexcc, case, folder, c["grid"])
            program = simulated(case, base, tile)
            got = out["grids"][case] = {"grid": c["real"], "lines": []}
            for ranks in c["ranks"]:
                at = lambda way, *of: smpi(program, folder, ranks, way, *c["real"], *of, costs[case][way], *copies[case])
                set_outs = [(ranks // k, k) for k in range(1, ranks + 1) if ranks % k == 0]
                tried = [x for x in (at("tiles", *of) for of in set_outs) if x]
                near = min(set_outs, key=lambda of: abs(of[0] - of[1]))
                line = {"ranks": ranks, "chosen": at("tiles", 0, 0), "best": min(tried), "rows": next((x[0] for x in tried if x[1][1] == 1), None), "steps": min(at("steps", *of) for of in {(ranks, 1), near})}
                got["lines"].append(line)
                print(case, "grids", line, file=sys.stderr)
        for case, c in chosen(CASES, o).items():
            base, tile = translate(o.hexcc, case, folder)
            program = simulated(case, base, tile)
            steps = c["grid"]["steps"]
            got = out["cases"][case] = {"weak": [], "strong": [], "tiles": c["tiles"], "rest": c["rest"], "steps": steps, "all": c["strong"], "rows": rows(case, tile, c["strong"])}
            for kind in ("weak", "strong"):
                for ranks in RANKS + [4096, 10000]:
                    tiles = c["tiles"] * ranks if kind == "weak" else c["strong"]
                    if ranks > tiles or kind == "strong" and ranks < c["fewest"]:
                        continue
                    line = {"ranks": ranks, "rows": rows(case, tile, tiles), "model": model(case, tile, tiles, ranks, costs[case]["tiles"], copies[case][0])}
                    for way in ("tiles", "steps") if ranks <= RANKS[-1] else ():
                        line[way] = smpi(program, folder, ranks, way, line["rows"], *c["rest"], steps, ranks, 1, costs[case][way], *copies[case])[0]
                    got[kind].append(line)
                    print(case, kind, line, file=sys.stderr)
    json.dump(out, sys.stdout, indent=1)
    print()


# by number of ranks: what is measured, with rows and columns of ranks
WAYS = {1: (("tiles", (1, 1)), ("steps", (1, 1))), 2: (("tiles", (2, 1)), ("tiles, in a chain", (1, 2)), ("steps", (2, 1)))}


def measure(o):
    out = {"cost": {}, "copy": {}, "cases": {}}
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMP_NUM_THREADS="1")
    with tempfile.TemporaryDirectory() as folder:
        programs = {}
        for case in chosen(CASES, o):
            base, _ = translate(o.hexcc, case, folder)
            run(o.mpicc, *flags(case, base), "-Wno-unknown-pragmas", f'-DFILE_C="{os.path.basename(base)}.hex.c"', os.path.join(HERE, "scale.c"), "-o", base)
            programs[case] = base
        for case, c in chosen(CASES, o).items():
            n, m, l, steps = c["real"]
            points = (n - 2) * (m - 2) * max(1, l - 2) * steps
            got = out["cases"][case] = {"grid": c["real"], "runs": []}
            best = {}
            out["copy"][case] = [float(x) for x in run(o.mpirun, "-n", 1, programs[case], "copies", *c["real"], 0, 0, env=env).split()[1:]]
            for ranks in (1, 2):
                for _ in range(3):
                    sums = set()
                    for way, of in WAYS[ranks]:
                        f = run(o.mpirun, "-n", ranks, programs[case], "steps" if way == "steps" else "tiles", *c["real"], *of, env=env).split()
                        best[way, ranks] = min(best.get((way, ranks), math.inf), float(f[6]))
                        got["runs"].append({"way": way, "ranks": ranks, "seconds": float(f[2]), "processor": float(f[6]), "messages": int(f[3]), "bytes": int(f[4])})
                        sums.add(f[5])
                    assert len(sums) == 1, f"{case}: the programs leave different numbers: {sums}"
            out["cost"][case] = {way: best[way, 1] / points * 1e9 for way in ("tiles", "steps")}
    json.dump(out, sys.stdout, indent=1)
    print()


def efficiency(one, many, way):
    """Rows that a rank does in a second, beside those of one alone."""
    rate = lambda r: (r["rows"] - 2) / r[way] / r["ranks"]
    return rate(many) / rate(one)


def table(o):
    with open(o.file) as f:
        data = json.load(f)
    if "latency" not in data:
        print("| | ranks | way | seconds | messages of a rank | bytes of a rank |\n|---|---|---|---|---|---|")
        for case, c in data["cases"].items():
            for ranks in (1, 2):
                for way, _ in WAYS[ranks]:
                    runs = [r for r in c["runs"] if (r["way"], r["ranks"]) == (way, ranks)]
                    times = ", ".join(f"{r['seconds']:.2f}" for r in sorted(runs, key=lambda r: r["seconds"]))
                    print(f"| {case}, {' x '.join(str(x) for x in c['grid'][:3] if x > 1)}, {c['grid'][3]} steps | {ranks} | {way} | {times} | {runs[0]['messages']} | {runs[0]['bytes']} |")
        return
    for case, c in data["cases"].items():
        for kind in (k for k in ("weak", "strong") if c[k]):
            print(f"\n{case}, {kind}\n\n| ranks | rows | tiles, s | efficiency | by the model, s | exchange, s | efficiency |\n|---|---|---|---|---|---|---|")
            for r in c[kind]:
                cell = lambda way: f"{r[way]:.4f} | {100 * efficiency(c[kind][0], r, way):.1f} %" if way in r else "| "
                print(f"| {r['ranks']} | {r['rows']} | {cell('tiles')} | {r['model']:.4f} | {cell('steps')} |")
    for case, g in data["grids"].items():
        print(f"\n{case}, {' x '.join(str(x) for x in g['grid'][:3] if x > 1)}, {g['grid'][3]} steps\n\n| ranks | in one column, s | as chosen, s | rows x columns | the best, s | rows x columns | exchange, s | rows x columns |\n|---|---|---|---|---|---|---|---|")
        cell = lambda x: f"{x[0]:.4f} | {x[1][0]} x {x[1][1]}" if x else " | "
        for r in g["lines"]:
            print(f"| {r['ranks']} | {'' if r['rows'] is None else format(r['rows'], '.4f')} | {cell(r['chosen'])} | {cell(r['best'])} | {cell(r['steps'])} |")


def plot(o):
    """Efficiency over ranks, weak and strong, for each case."""
    with open(o.file) as f:
        data = json.load(f)
    wide, high, left, top = 330, 210, 56, 70
    parts = []
    for i, (case, kind) in enumerate((c, k) for c in data["cases"] for k in ("weak", "strong") if data["cases"][c][k]):
        x0, y0 = left + i % 2 * (wide + 90), top + i // 2 * (high + 90)
        x = lambda ranks: x0 + wide * math.log2(ranks) / math.log2(10000)
        y = lambda part: y0 + high * (1 - min(part, 1.2) / 1.2)
        parts.append(f'<text x="{x0}" y="{y0 - 14}" class="t">{case}, {kind} scaling</text>')
        for e in (0, 0.25, 0.5, 0.75, 1):
            parts.append(f'<line x1="{x0}" x2="{x0 + wide}" y1="{y(e):.1f}" y2="{y(e):.1f}" class="g"/><text x="{x0 - 8}" y="{y(e) + 4:.1f}" text-anchor="end">{100 * e:.0f} %</text>')
        for r in (1, 16, 128, 1024, 10000):
            parts.append(f'<text x="{x(r):.1f}" y="{y0 + high + 18}" text-anchor="middle">{r}</text>')
        parts.append(f'<text x="{x0 + wide / 2}" y="{y0 + high + 38}" text-anchor="middle">ranks</text>')
        lines = data["cases"][case][kind]
        for way in ("steps", "model", "tiles"):
            points = [(x(r["ranks"]), y(efficiency(lines[0], r, way))) for r in lines if way in r]
            parts.append(f'<polyline class="{way}" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}"/>')
            if way != "model":
                parts += [f'<circle class="{way}" cx="{a:.1f}" cy="{b:.1f}" r="3.5"/>' for a, b in points]
    shown = sum(1 for c in data["cases"].values() for k in ("weak", "strong") if c[k])
    for i, (case, g) in enumerate(data["grids"].items(), shown + shown % 2):
        x0, y0 = left + i % 2 * (wide + 90), top + i // 2 * (high + 90)
        ways = {"steps": lambda r: r["steps"][0], "rows": lambda r: r["rows"], "tiles": lambda r: r["chosen"] and r["chosen"][0]}
        points = {way: [(r["ranks"], f(r)) for r in g["lines"] if f(r)] for way, f in ways.items()}
        seconds = [s for line in points.values() for _, s in line]
        least, most, last = math.floor(math.log2(min(seconds))), math.ceil(math.log2(max(seconds))), math.log2(g["lines"][-1]["ranks"])
        x = lambda ranks: x0 + wide * math.log2(ranks) / last
        y = lambda s: y0 + high * (1 - (math.log2(s) - least) / (most - least))
        parts.append(f'<text x="{x0}" y="{y0 - 14}" class="t">{case}, {" x ".join(str(n) for n in g["grid"][:3] if n > 1)}: seconds</text>')
        for e in range(least, most + 1):
            parts.append(f'<line x1="{x0}" x2="{x0 + wide}" y1="{y(2.0**e):.1f}" y2="{y(2.0**e):.1f}" class="g"/><text x="{x0 - 8}" y="{y(2.0**e) + 4:.1f}" text-anchor="end">{2.0**e:.3g}</text>')
        for r in g["lines"]:
            parts.append(f'<text x="{x(r["ranks"]):.1f}" y="{y0 + high + 18}" text-anchor="middle">{r["ranks"]}</text>')
        parts.append(f'<text x="{x0 + wide / 2}" y="{y0 + high + 38}" text-anchor="middle">ranks</text>')
        for way, line in points.items():
            parts.append(f'<polyline class="{way}" points="{" ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in line)}"/>')
            parts += [f'<circle class="{way}" cx="{x(a):.1f}" cy="{y(b):.1f}" r="3.5"/>' for a, b in line]
    w, h = left + 2 * wide + 130, top + (shown + 1) // 2 * (high + 90) + (len(data["grids"]) + 1) // 2 * (high + 90)
    key = "".join(f'<line class="{way}" x1="{x}" x2="{x + 28}" y1="26" y2="26"/><text x="{x + 36}" y="30">{text}</text>'
                  for way, x, text in (("tiles", left, "tiles, by SMPI"), ("model", left + 170, "tiles, by the model"), ("steps", left + 360, "exchange after each step, by SMPI"), ("rows", left + 640, "tiles in one column")))
    print(f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img">
<title>Efficiency of heat on ranks, weak and strong scaling</title>
<style>svg{{background:#fff;font:12px sans-serif}}text{{fill:#333}}.t{{font-size:15px;font-weight:bold}}.g{{stroke:#ddd}}polyline{{fill:none}}.rows{{stroke:#1f6fb4;stroke-width:1.5;stroke-dasharray:7 4}}circle.rows{{fill:#fff}}.tiles{{stroke:#1f6fb4;stroke-width:2}}.model{{stroke:#1f6fb4;stroke-width:1.5;stroke-dasharray:3 4}}.steps{{stroke:#c8641e;stroke-width:2}}circle.tiles{{fill:#1f6fb4}}circle.steps{{fill:#c8641e}}
@media (prefers-color-scheme: dark){{svg{{background:#16181d}}text{{fill:#ddd}}.g{{stroke:#333}}.tiles,.model,.rows{{stroke:#6cb2f0}}circle.rows{{fill:#16181d}}circle.tiles{{fill:#6cb2f0}}.steps{{stroke:#f0a060}}circle.steps{{fill:#f0a060}}}}</style>
{key}
{chr(10).join(parts)}
</svg>""")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=["measure", "scale", "table", "plot"])
    p.add_argument("file", nargs="?")
    p.add_argument("--only", choices=CASES)
    p.add_argument("--hexcc", default="hexcc")
    p.add_argument("--mpicc", default="mpicc")
    p.add_argument("--mpirun", default="mpirun")
    p.add_argument("--costs", default=os.path.join(HERE, "measured.json"))
    o = p.parse_args()
    {"measure": measure, "scale": scale, "table": table, "plot": plot}[o.what](o)


if __name__ == "__main__":
    main()
