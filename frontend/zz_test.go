package frontend

import ("testing";"os";"fmt")

func TestZZ(t *testing.T) {
	b, _ := os.ReadFile(os.Getenv("ZZ"))
	tx, err := newText(newFile(Source{Name: "a.c", Text: b}), Options{NoAlias: true})
	if err != nil { t.Fatal(err) }
	o := Options{NoAlias: true, Ranks: true}
	fmt.Println(len(tx.regions)); tx.read(tx.regions, o)
	c, chosen := tx.inlined(tx.regions, o)
	os.WriteFile("/tmp/mstep/zz1.c", c.f.text, 0o666)
	a := c.rewriteAs(chosen, o)
	if a != nil { os.WriteFile("/tmp/mstep/zz2.c", a.f.text, 0o666)
	for _, m := range a.made { fmt.Println(m.p != nil, m.errs) } } else { fmt.Println("nil") 
	for _, m := range c.made { fmt.Println(m.refused, m.errs) } }
}
