// Starts hexcc lsp for C and C++ files.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function start() {
  const settings = vscode.workspace.getConfiguration("hexcc");
  const command = settings.get("path");
  client = new LanguageClient(
    "hexcc",
    "hexcc",
    { command, args: ["lsp"] },
    {
      documentSelector: [
        { scheme: "file", language: "c" },
        { scheme: "file", language: "cpp" },
        { scheme: "untitled", language: "c" },
      ],
      initializationOptions: { flags: settings.get("flags") },
    },
  );
  return client.start();
}

async function restart() {
  await client?.stop().catch(() => {}); // one that has not started cannot be stopped
  await start();
}

exports.activate = function (context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("hexcc.restart", restart),
    vscode.workspace.onDidChangeConfiguration((e) => e.affectsConfiguration("hexcc") && restart()),
  );
  return start();
};

exports.deactivate = () => client?.stop();
