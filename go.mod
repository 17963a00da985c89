module github.com/hexcc/hexcc

go 1.26
