package papers_test
import ("testing";"fmt";"github.com/rocelab/rocelab/specs/papers";"time")
func TestX(t *testing.T){ b:=time.Now(); j,err:=papers.Read("claims.yaml",papers.Claims()); if err!=nil{t.Fatal(err)}; fmt.Println(len(j.Registry.Claims),time.Since(b)) }
