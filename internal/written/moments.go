package written

import (
	"fmt"
	"strings"
)

// This file writes what programs gather of the grid beside their stencils, in elements of arrays and row by row.

// moments returns what a step gathers in elements of arrays, "" for nothing.
func (m *maker) moments() string {
	if m.buffers == "half steps" || m.buffers == "alternate" || m.buffers == "choose" {
		return ""
	}
	form := m.pick("moments", "none", "none", "none", "none", "none", "none", "elements", "rows", "rows of elements")
	if form == "none" || form != "elements" && len(m.dims) < 2 {
		return ""
	}
	m.feature("moments", form)
	typ := "double"
	if !m.floating() {
		typ = "long"
	}
	m.helper("moments", fmt.Sprintf("static %s moment[4], of_row[4096];\nstatic %[1]s weighed(void)\n{\n    %[1]s all = 0;\n    for (int at = 0; at < 4096; at++)\n        all += of_row[at] * (at %% 7);\n    return all;\n}\n", typ))
	a := m.field(m.fields[0])
	if m.buffers == "planes" || m.buffers == "index" {
		a.plane = "0"
	}
	i := m.dims[0].loop
	x := m.point(a)
	switch form {
	case "elements":
		peak := fmt.Sprintf("if (%s > moment[2])\n    moment[2] = %[1]s;\n", x)
		if m.one("peaks", 2) {
			peak = ""
		}
		return m.pick("clearing", "moment[0] = moment[1] = 0;\n", "moment[0] = 0;\nmoment[1] = 0;\n", "") +
			m.over(fmt.Sprintf("moment[0] += %s;\nmoment[1] += %[1]s * %s;\n%s", x, i, peak))
	case "rows":
		return m.overRows(fmt.Sprintf("%s in_row = 0;\n", typ), fmt.Sprintf("in_row += %s;\n", x), fmt.Sprintf("of_row[%s] = in_row;\n", i))
	}
	return m.overRows(fmt.Sprintf("of_row[%s] = 0;\n", i), fmt.Sprintf("of_row[%s] += %s;\n", i, x), "")
}

// printedMoments returns what prints them, where the program gathers any.
func (m *maker) printedMoments() string {
	for _, f := range m.features {
		if strings.HasPrefix(f, "moments: ") {
			verb := "%a"
			if !m.floating() {
				verb = "%ld"
			}
			return fmt.Sprintf("printf(\"%[1]s %[1]s %[1]s %[1]s\\n\", moment[0], moment[1], moment[2], weighed());\n", verb)
		}
	}
	return ""
}
