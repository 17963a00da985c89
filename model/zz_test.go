package model

import ("testing";"fmt";"sort";"os";"strings";"github.com/hexcc/hexcc/schedule";"github.com/hexcc/hexcc/internal/pipeline")
func TestZZ(t *testing.T){
 name:=os.Getenv("ZZ"); ty:=Typical{"n":6000,"T":200}; if name=="heat-3d" {ty=Typical{"n":320,"T":150}}
 b,_:=os.ReadFile("../bench/cpu/kernels/"+name+".c"); text:=strings.ReplaceAll(string(b),"#pragma omp parallel for\n","")
 x:=pipeline.Read(t,name,text); cpu:=CPU{First:48<<10,Cache:1<<20,Last:16<<20,Line:64,Cores:2}; cone:=cpu.Aligned(x.Space,x.Cone); c:=x.Space
 grid,err:=NewGrid(c,ty); if err!=nil{t.Fatal(err)}
 tt:=cacheTile{cpu:cpu,c:c,cone:cone,grid:grid,bytes:float64(bytesAt(c))}
 for _,st:=range c.Scop.Stmts{tt.rows=append(tt.rows,rowsOf(c,st))}
 type e struct{s schedule.Sizes;c float64}; var all []e
 for _,f:=range strings.Fields(os.Getenv("LIST")){ var h,w0,w1,w2 int64; var ns float64
  p:=strings.Split(f,":"); n,_:=fmt.Sscanf(p[0],"h=%d,w0=%d,w1=%d,w2=%d",&h,&w0,&w1,&w2); fmt.Sscan(p[1],&ns)
  s:=schedule.Sizes{H:h,W:[]int64{w0,w1,w2}[:n-1]}; tt.sizes=s; fmt.Printf("%-24s measured %.3f model %.3f (%.2f) reread %v window %.0fK\n",p[0],2/ns,tt.cost()*.0275,tt.cost(),tt.reread(),tt.window()/1024)}
 for _,h:=range schedule.LegalH(c.K){for _,s:=range widths(c,cone,h){tt.sizes=s;all=append(all,e{s,tt.cost()})}}
 sort.Slice(all,func(i,j int)bool{return all[i].c<all[j].c})
 for i:=0;i<6;i++{tt.sizes=all[i].s; fmt.Println(all[i].s.H,all[i].s.W,all[i].c,"reread",tt.reread(),"window",tt.window()/1024)}
}
