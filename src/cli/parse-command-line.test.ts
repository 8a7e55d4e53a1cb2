import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError, type Command, type CommandGroup } from "./command.ts";
import { argumentLabel, findCommand, parseCommandLine } from "./parse-command-line.ts";

const command: Command = {
  arguments: {
    version: { description: "x", required: true },
    files: { description: "x", multiple: true },
  },
  options: {
    build: { type: "string", value: "N", description: "x", required: true },
    target: { type: "string", description: "x", multiple: true },
    signed: { type: "boolean", description: "x" },
  },
  run: async () => {},
};
const entry = { summary: "x", load: async () => command };
const tree: CommandGroup = {
  summary: "x",
  commands: {
    release: { summary: "x", commands: { new: entry, next: entry, publish: entry } },
    serve: entry,
  },
};

const usageError = (message: string) => (error: unknown) => {
  assert.ok(error instanceof UsageError, String(error));
  assert.equal(error.message, message);
  return true;
};

test("the first words name a command, and the rest belongs to the command", () => {
  const words = ["release", "new", "release", "--build", "1"];
  const { path, target, rest } = findCommand(tree, words);
  assert.deepEqual(path, ["release", "new"]);
  assert.equal(target, entry);
  assert.deepEqual(rest, ["release", "--build", "1"]);
});

test("words that name no command lead to their group, and no words to the root", () => {
  assert.equal(findCommand(tree, []).target, tree);
  assert.deepEqual(findCommand(tree, ["release", "--help"]).path, ["release"]);
});

for (const [words, message] of [
  [["serv"], 'Unknown command "serv": did you mean `trellis serve`?'],
  [["srve"], 'Unknown command "srve": did you mean `trellis serve`?'],
  [["relaese", "new"], 'Unknown command "relaese": did you mean `trellis release`?'],
  [["release", "pub"], 'Unknown command "pub": did you mean `trellis release publish`?'],
  [["release", "nex"], 'Unknown command "nex": did you mean `trellis release next`?'],
  [["release", "bananas"], 'Unknown command "bananas": see `trellis release --help`'],
  [[""], 'Unknown command "": see `trellis --help`'],
  [["constructor"], 'Unknown command "constructor": see `trellis --help`'],
  [["__proto__"], 'Unknown command "__proto__": see `trellis --help`'],
] as const) {
  test(`trellis ${words.join(" ")} is an unknown command`, () => {
    assert.throws(() => findCommand(tree, words), usageError(message));
  });
}

test("arguments and options are bound by their names", () => {
  const words = ["1.0.0", "--build=7", "a", "--target", "x", "b", "--target", "y", "--signed"];
  assert.deepEqual(parseCommandLine(command, words), {
    args: { version: "1.0.0", files: ["a", "b"] },
    options: {
      build: "7",
      target: ["x", "y"],
      signed: true,
      config: undefined,
      json: false,
      help: false,
    },
  });
});

test("an argument or option that is not given has its empty value", () => {
  const { args, options } = parseCommandLine(command, ["1.0.0", "--build", "7"]);
  assert.deepEqual(args["files"], []);
  assert.deepEqual(options["target"], []);
  assert.equal(options["signed"], false);
});

test("after two hyphens every word is an argument", () => {
  const { args } = parseCommandLine(command, ["--build", "7", "--", "--signed", "-x"]);
  assert.deepEqual(args, { version: "--signed", files: ["-x"] });
});

test("an id may begin with a hyphen, before or after the options", () => {
  const revoke: Command = {
    arguments: { id: { description: "x", isId: true } },
    options: { all: { type: "boolean", description: "x" } },
    run: async () => {},
  };
  for (const words of [
    ["-Bq3_x", "--all"],
    ["--all", "-Bq3_x"],
    ["--all", "--", "-Bq3_x"],
  ]) {
    const { args, options } = parseCommandLine(revoke, words);
    assert.deepEqual([args["id"], options["all"]], ["-Bq3_x", true]);
  }
  assert.throws(() => parseCommandLine(revoke, ["-x"]), usageError('Unknown option "-x"'));
  assert.throws(
    () => parseCommandLine(revoke, ["-abc", "b"]),
    usageError('Unexpected argument "-abc"'),
  );
});

const needy: Command = {
  arguments: {
    id: { description: "x", required: true },
    targetFile: { description: "x", required: true },
  },
  options: {
    url: { type: "string", value: "URL", description: "x", required: true },
    all: { type: "boolean", description: "x" },
    reason: { type: "string", value: "TEXT", description: "x", required: true },
  },
  run: async () => {},
};
const plain: Command = { optionHints: { port: "set `listen.port`" }, run: async () => {} };

for (const [target, words, message] of [
  [command, ["1.0.0"], "Missing option --build N"],
  [command, ["--build", "1"], "Missing argument VERSION"],
  [command, [], "Missing argument VERSION and option --build N"],
  [needy, ["--all"], "Missing arguments ID, TARGET-FILE and options --url URL, --reason TEXT"],
  [needy, ["a", "b"], "Missing options --url URL, --reason TEXT"],
  [command, ["1.0.0", "--build"], "Option --build needs a value"],
  [command, ["1.0.0", "--build", "--signed"], "Option --build needs a value"],
  [command, ["1.0.0", "--build", "1", "--build", "2"], "Option --build was given twice"],
  [command, ["1.0.0", "--build", "1", "--json", "--json"], "Option --json was given twice"],
  [command, ["1.0.0", "--biuld", "1"], 'Unknown option "--biuld": did you mean --build?'],
  [command, ["1.0.0", "--bananas"], 'Unknown option "--bananas"'],
  [plain, ["--port", "80"], 'Unknown option "--port": set `listen.port`'],
  [command, ["1.0.0", "-x"], 'Unknown option "-x"'],
  [command, ["1.0.0", "--signed=yes"], "Option '--signed' does not take an argument"],
  [plain, ["surprise"], 'Unexpected argument "surprise"'],
] as const) {
  test(`${words.join(" ")}: ${message}`, () => {
    assert.throws(() => parseCommandLine(target, words), usageError(message));
  });
}

test("an empty value is a value", () => {
  assert.equal(parseCommandLine(command, ["1", "--build", ""]).options["build"], "");
});

test("an argument is shown in capitals with hyphens", () => {
  assert.equal(argumentLabel("artifactFile"), "ARTIFACT-FILE");
});

test("the words behind -- are of the argument for them, whatever they are", () => {
  const command: Command = {
    arguments: {
      url: { description: "x" },
      program: { description: "x", multiple: true, isBehindDashes: true },
    },
    options: { fast: { type: "boolean", description: "x" } },
    run: async () => {},
  };
  const parse = (...words: string[]) => parseCommandLine(command, words);
  const { args, options } = parse("--fast", "--", "./run", "--json", "--", "-x");
  assert.deepEqual(args, { url: undefined, program: ["./run", "--json", "--", "-x"] });
  assert.deepEqual([options["fast"], options["json"]], [true, false]);
  assert.deepEqual(parse("https://a.example").args, { url: "https://a.example", program: [] });
  assert.throws(() => parse("a", "b"), usageError('Unexpected argument "b"'));
});
