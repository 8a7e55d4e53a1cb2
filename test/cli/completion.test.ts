/** The printed completion scripts, in the shells that they are for. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { runInside } from "../fixtures/run-inside.ts";

let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "trellis-completion-"));
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, stdout, stderr } = await runInside(folder, ["completion", shell]);
    assert.equal(code, 0, stderr);
    writeFileSync(join(folder, shell), stdout);
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** What a shell offers for the last of these words, each in a line of its own. */
type Complete = (words: readonly string[]) => string[];

function run(shell: string, words: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(shell, words, {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: folder },
  });
  assert.equal(status, 0, stderr);
  assert.equal(stderr, "");
  return stdout.split("\n").filter(Boolean);
}

const SHELLS: Readonly<Record<string, Complete>> = {
  bash: (words) =>
    run("bash", [
      "--norc",
      "-c",
      'source ./bash; compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _trellis; printf "%s\\n" "${COMPREPLY[@]}"',
      "bash",
      ...words,
    ]),
  // The functions of zsh's completion system exist in an interactive shell only.
  zsh: (words) =>
    run("zsh", [
      "-f",
      "-c",
      `compdef() { : }; _files() { : }; _message() { : }
       _describe() { local list="\${@[-1]}"; print -l -- "\${(@P)list%%:*}" | grep -- "^\${words[CURRENT]}" }
       source ./zsh; words=("$@"); CURRENT=$#; _trellis; true`,
      "zsh",
      ...words,
    ]),
  fish: (words) =>
    run("fish", [
      "--no-config",
      "-c",
      "source ./fish; complete -C (string join ' ' -- $argv)",
      ...words,
    ]).map((line) => line.split("\t")[0] ?? ""),
};

for (const [shell, complete] of Object.entries(SHELLS)) {
  const isMissing = spawnSync(shell, ["--version"]).error !== undefined;
  describe(shell, { skip: isMissing && `needs ${shell}` }, () => {
    test("a command is completed from its first letters, at every level", () => {
      assert.deepEqual(complete(["trellis", "rel"]), ["release"]);
      assert.deepEqual(complete(["trellis", "release", "pub"]), ["publish"]);
      assert.deepEqual(complete(["trellis", "release", "key", "rot"]), ["rotate"]);
    });

    test("the options are those of the command, and the common ones", () => {
      assert.deepEqual(complete(["trellis", "release", "sign", "--if"]), ["--if-older-than"]);
      assert.deepEqual(complete(["trellis", "release", "sign", "--js"]), ["--json"]);
      assert.deepEqual(complete(["trellis", "release", "publish", "--if"]), []);
      assert.deepEqual(complete(["trellis", "--ver"]), ["--version"]);
    });

    test("the value of an option is no command", () => {
      // "release" after --config is the name of a file.
      assert.deepEqual(complete(["trellis", "doctor", "--config", "release", "--js"]), ["--json"]);
      assert.deepEqual(complete(["trellis", "release", "sign", "--sequence", "pub"]), []);
    });

    test("an argument does not hide the options", () => {
      assert.deepEqual(complete(["trellis", "release", "publish", "1.0.0", "--passphrase-s"]), [
        "--passphrase-stdin",
      ]);
    });
  });
}

test("bash completes file names where a file is expected, and nothing for other values", () => {
  const probe = (line: string) =>
    run("bash", [
      "--norc",
      "-c",
      'source ./bash; compopt() { echo "compopt $*"; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _trellis; echo "${#COMPREPLY[@]}"',
      "bash",
      ...line.split("|"),
    ]);
  assert.deepEqual(probe("trellis|doctor|--config|"), ["0"]);
  assert.deepEqual(probe("trellis|release|sign|--sequence|"), ["compopt +o default", "0"]);
});

test("another shell is refused with the ones that are known", async () => {
  const { code, stderr } = await runInside(folder, ["completion", "tcsh"]);
  assert.equal(code, 2);
  assert.match(stderr, /SHELL must be one of bash, zsh, fish, not "tcsh"/);
});
