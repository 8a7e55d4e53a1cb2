import assert from "node:assert/strict";
import { test } from "node:test";
import { checkConfiguration } from "../configuration/configuration.ts";
import type { Configuration } from "../configuration/configuration-schema.ts";
import { StorageUnavailableError } from "../database/database.ts";
import { CatalogError } from "../release/catalog.ts";
import { CommandError } from "./command.ts";
import { explainStartError } from "./explain-start-error.ts";

function explain(error: unknown, configuration?: Configuration): unknown {
  try {
    explainStartError(error, configuration);
  } catch (explained) {
    return explained;
  }
}

for (const [code, expected] of [
  ["EADDRINUSE", /^Cannot listen on 127\.0\.0\.1:4811: .+ uses that port; stop it, or change /],
  ["EACCES", /^Cannot listen on 127\.0\.0\.1:4811 \(EACCES\): change /],
  ["EADDRNOTAVAIL", /^Cannot listen on 127\.0\.0\.1:4811 \(EADDRNOTAVAIL\): change /],
] as const) {
  test(`${code} is explained with the address and what to do`, () => {
    const error = Object.assign(new Error("x"), {
      code,
      syscall: "listen",
      address: "127.0.0.1",
      port: 4811,
    });
    const explainFor = (sync: object) => {
      const configuration = checkConfiguration({ release: {}, sync }, "of this test");
      const explained = explain(error, { ...configuration, file: null });
      assert.ok(explained instanceof CommandError);
      return explained.message;
    };
    assert.match(explainFor({}), expected);
    assert.match(explainFor({}), /change "sync\.listen" and "sync\.baseUrl" in the configuration$/);
    const behindProxy = explainFor({ baseUrl: "https://sync.example.com" });
    assert.match(behindProxy, /change "sync\.listen" in the configuration$/);
  });
}

test("an invalid catalogue is explained with every error in it", () => {
  const fileError = (file: string) => ({
    file,
    path: "",
    problem: "is missing",
    remedy: "restore it",
  });
  const explained = explain(
    new CatalogError("/c", [fileError("keys.json"), fileError("catalog.json")]),
  );
  assert.ok(explained instanceof CommandError);
  assert.match(explained.message, /keys\.json is missing; restore it\n.*catalog\.json is missing/);
});

test("a store that is not available is explained without a stack", () => {
  const explained = explain(new StorageUnavailableError("the disk is full (SQLite 13)"));
  assert.ok(explained instanceof CommandError);
  assert.equal(
    explained.message,
    "The store is not available: the disk is full (SQLite 13); `trellis doctor` shows which store it is",
  );
});

test("a temporary folder that cannot be created is explained with where it would be", () => {
  const error = Object.assign(new Error("EROFS: read-only file system, mkdtemp"), {
    code: "EROFS",
    syscall: "mkdtemp",
    path: "/x/trellis-demo-XXXXXX",
  });
  const explained = explain(error);
  assert.ok(explained instanceof CommandError);
  assert.match(
    explained.message,
    /^Cannot create a folder in ".+": the disk is read-only; set TMPDIR/,
  );
});

test("an unexpected error is thrown unchanged", () => {
  const error = new TypeError("oops");
  assert.equal(explain(error), error);
});

test("a file permission error is not explained as a listen error", () => {
  const error = Object.assign(new Error("EACCES: permission denied, open '/c/keys.json'"), {
    code: "EACCES",
    syscall: "open",
  });
  assert.equal(explain(error), error);
});
