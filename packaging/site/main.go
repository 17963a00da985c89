// Command site makes one small site of the documents: pages that link to each other, a list of them, a search, and no file from elsewhere.
// It works from a disk. The pages are the Markdown of README.md, docs/ and others, unchanged.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	root := flag.String("root", ".", "the repository")
	out := flag.String("o", "out/site", "the folder to write to")
	flag.Parse()
	n, err := Write(*root, *out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Printf("%d pages, from %s/index.html on\n", n, *out)
}
