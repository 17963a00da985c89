package lsp

// The objects of the protocol that are used, as its specification names them: Lines and characters count from 0, characters in UTF-16.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type identifier struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
}

type documentItem struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Text    string `json:"text"`
}

type change struct {
	Text string `json:"text"` // all of it: that is what the server asks for
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type related struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

// Severities.
const (
	severityError       = 1
	severityWarning     = 2
	severityInformation = 3
)

type diagnostic struct {
	Range    span      `json:"range"`
	Severity int       `json:"severity"`
	Code     string    `json:"code,omitempty"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
	Related  []related `json:"relatedInformation,omitempty"`
	Data     *data     `json:"data,omitempty"`
}

// data is what a diagnostic carries to the request for actions.
type data struct {
	Help string `json:"help"`
}

type published struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments"`
}

type action struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind,omitempty"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	Edit        *workspaceEdit `json:"edit,omitempty"`
	Command     *command       `json:"command,omitempty"`
	Preferred   bool           `json:"isPreferred,omitempty"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    span   `json:"range"`
}

// Severities of messages.
const (
	messageError = 1
	messageInfo  = 3
)

type shownMessage struct {
	Type    int    `json:"type"`
	Message string `json:"message"`
}

// explainCommand is the command that shows what an error code means.
const explainCommand = "hexcc.explain"

// capabilities are what initialize answers.
var capabilities = map[string]any{
	"positionEncoding": "utf-16",
	"textDocumentSync": map[string]any{"openClose": true, "change": 1, "save": true}, // 1: all of the text
	"hoverProvider":    true,
	"codeActionProvider": map[string]any{
		"codeActionKinds": []string{"quickfix"},
	},
	"executeCommandProvider": map[string]any{"commands": []string{explainCommand}},
}
