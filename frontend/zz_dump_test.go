package frontend
import ("testing";"os";"fmt")
func TestZZDump(t *testing.T){ b,_:=os.ReadFile(os.Getenv("DUMP")); f:=newFile(Source{Name:os.Getenv("DUMP"),Text:b}); h:=newCxxHeaders(f,Options{}); p:=project(b,cxxRole{},nil,h); fmt.Println(string(p.text)) }
