// Runs the extension without an editor: node editor/vscode/test.js. What it needs of Visual Studio Code is played by a few lines here.
"use strict";
const assert = require("node:assert");
const Module = require("node:module");
const path = require("node:path");

const settings = { path: "hexcc", flags: ["--arch=sm_90"] };
const commands = {}, log = [];
let changed;
const vscode = {
  workspace: {
    getConfiguration: (name) => (assert.equal(name, "hexcc"), { get: (key) => (assert.ok(key in settings, key), settings[key]) }),
    onDidChangeConfiguration: (act) => ((changed = act), { dispose() {} }),
  },
  commands: { registerCommand: (name, act) => ((commands[name] = act), { dispose() {} }) },
};
class LanguageClient {
  constructor(id, name, server, options) { Object.assign(this, { id, name, server, options }); }
  async start() { log.push(["start", this.server.command, ...this.server.args, ...this.options.initializationOptions.flags]); }
  async stop() { log.push(["stop"]); if (settings.fails) throw new Error("it has not started"); }
}
const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);

(async () => {
  const manifest = require("./package.json");
  const extension = require(path.resolve(__dirname, manifest.main));
  const context = { subscriptions: [] };
  await extension.activate(context);
  assert.deepEqual(log.splice(0), [["start", "hexcc", "lsp", "--arch=sm_90"]]);
  assert.equal(context.subscriptions.length, 2);
  assert.deepEqual(Object.keys(commands), manifest.contributes.commands.map((c) => c.command), "commands are those that the manifest names");
  for (const key of Object.keys(manifest.contributes.configuration.properties)) assert.ok(key.slice("hexcc.".length) in settings, key);

  settings.path = "/opt/hexcc";
  await changed({ affectsConfiguration: (name) => name === "hexcc" });
  assert.deepEqual(log.splice(0), [["stop"], ["start", "/opt/hexcc", "lsp", "--arch=sm_90"]]);
  await changed({ affectsConfiguration: () => false });
  assert.deepEqual(log, []);
  settings.fails = true; // one that has not started cannot be stopped
  await commands["hexcc.restart"]();
  assert.deepEqual(log.splice(0), [["stop"], ["start", "/opt/hexcc", "lsp", "--arch=sm_90"]]);
  settings.fails = false;
  await extension.deactivate();
  assert.deepEqual(log, [["stop"]]);
  console.log("editor/vscode: ok");
})().catch((e) => { console.error(e); process.exit(1); });
