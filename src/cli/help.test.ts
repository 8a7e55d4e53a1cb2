import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "./command.ts";
import { renderCommandHelp, renderGroupHelp } from "./help.ts";

const command: Command = {
  description: `It takes ${"many words ".repeat(20)}to say.`,
  examples: ["trellis do 1.0.0 --build 7"],
  arguments: {
    version: { description: "Which one", required: true },
    files: { description: "All of them", multiple: true },
  },
  options: {
    build: { type: "string", value: "N", description: "Its number", required: true },
    target: { type: "string", description: "A target", multiple: true },
    signed: { type: "boolean", description: "Whether it is signed" },
  },
  run: async () => {},
};
const help = renderCommandHelp(["do"], "Do something", command);

test("the usage shows required and optional arguments", () => {
  assert.match(help, /^Usage: trellis do VERSION \[FILES\.\.\.\] --build N \[options\]$/m);
});

test("every argument, option and example is listed with its description", () => {
  for (const line of [
    /^ +VERSION +Which one$/m,
    /^ +FILES +All of them$/m,
    /^ +--build N +Its number \(required\)$/m,
    /^ +--target VALUE +A target \(may be repeated\)$/m,
    /^ +--signed +Whether it is signed$/m,
    /^ +--config FILE +.+$/m,
    /^ +--json +.+$/m,
    /^ +--help +.+$/m,
    /^ +trellis do 1\.0\.0 --build 7$/m,
  ]) {
    assert.match(help, line);
  }
});

test("long texts are wrapped, and no word is lost", () => {
  const words = help.slice(0, help.indexOf("Usage:")).split(/\s+/);
  assert.equal(words.filter((word) => word === "many").length, 20);
  assert.ok(help.split("\n").every((line) => line.length <= 96));
});

test("a group lists its commands with their summaries", () => {
  const entry = { summary: "Do something", load: async () => command };
  const text = renderGroupHelp(["a"], { summary: "A group", commands: { do: entry } });
  assert.match(text, /^trellis a: A group$/m);
  assert.match(text, /^Usage: trellis a <command>$/m);
  assert.match(text, /^ +do +Do something$/m);
});
