/** What is published works where it is installed: packed, put into an empty folder, used. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { createCatalogFixture, type CatalogFixture } from "../fixtures/catalog.ts";
import { findOldNode } from "../fixtures/find-old-node.ts";
import { packPackage } from "../fixtures/packed-package.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");

let home: string;
let catalog: CatalogFixture;
let packedFiles: readonly string[];

before(async () => {
  home = await mkdtemp(join(tmpdir(), "trellis-installed-"));
  catalog = await createCatalogFixture({ releases: 3 });
  const packed = await packPackage();
  packedFiles = packed.files;
  await writeFile(join(home, "package.json"), '{ "private": true, "type": "module" }');
  await run("npm", ["install", "--silent", "--prefer-offline", "--no-audit", packed.path], {
    cwd: home,
  });
  // It is installed for the types alone: whatever is used below must do without it.
  await rm(join(home, "node_modules/typebox"), { recursive: true });
  // An optional peer, which an app with React has.
  await cp(join(ROOT, "node_modules/react"), join(home, "node_modules/react"), { recursive: true });
});

after(async () => {
  await catalog.remove();
  await rm(home, { recursive: true, force: true });
});

async function script(source: string): Promise<string> {
  await writeFile(join(home, "script.js"), source);
  const { stdout } = await run("node", ["script.js"], { cwd: home });
  return stdout.trim();
}

test("the installed command shows its help", async () => {
  const { stdout } = await run(join(home, "node_modules/.bin/trellis"), ["--help"], { cwd: home });
  assert.match(stdout, /^trellis: /);
  assert.match(stdout, /\n {2}serve /);
  assert.match(stdout, /\n {2}release /);
});

const oldNode = findOldNode();

test(
  "the installed command says on an old Node which one it needs, in one line",
  { skip: oldNode === null && "needs a Node older than 24.12 beside this one" },
  async () => {
    const bin = join(home, "node_modules/.bin/trellis");
    const running = run(oldNode ?? "", [bin, "--help"], { cwd: home });
    await assert.rejects(running, { code: 1, stdout: "", stderr: /^Trellis needs Node .+\n$/ });
  },
);

test("every entry can be imported where the installed TypeBox cannot", async () => {
  const printed = await script(`
    import about from "trellis/package.json" with { type: "json" };
    const isModule = ([, target]) => "default" in Object(target);
    const entries = Object.entries(about.exports).filter(isModule).map(([name]) => name.slice(2));
    for (const entry of entries) await import("trellis/" + entry);
    const refused = await import("typebox").catch(({ code }) => code);
    console.log(refused, entries.includes("client"), entries.includes("sync"));
  `);
  assert.equal(printed, "ERR_MODULE_NOT_FOUND true true");
});

test("an embedded release service responds", async () => {
  const printed = await script(`
    import { createReleaseService } from "trellis/release";
    const service = createReleaseService({
      catalog: ${JSON.stringify(catalog.folder)},
      baseUrl: "https://releases.example.org",
      smartDownloadUrl: "https://get.example.org",
      websiteDownloadUrl: "https://www.example.org/#download",
    });
    const latest = await service.fetch(new Request("https://releases.example.org/api/v1/releases/latest"));
    const selected = await service.fetch(
      new Request("https://get.example.org/?platform=macos", { redirect: "manual" }),
    );
    console.log(latest.status, (await latest.json()).version, selected.status, selected.headers.get("location"));
    await service.close();
  `);
  assert.equal(
    printed,
    "200 1.0.3 302 https://releases.example.org/api/v1/download/macos/universal",
  );
});

test("the client, the OpenAPI documents and the conformance kit can be imported", async () => {
  const printed = await script(`
    import { createUpdateClient } from "trellis/client";
    import * as conformance from "trellis/conformance";
    import openapi from "trellis/openapi/release.json" with { type: "json" };
    console.log(
      typeof createUpdateClient,
      Object.keys(conformance).length > 0,
      openapi.openapi,
    );
  `);
  assert.equal(printed, "function true 3.1.0");
});

test("an embedded events service responds", async () => {
  const printed = await script(`
    import { createEventsService, openEventsStore } from "trellis/events";
    const service = createEventsService({
      store: await openEventsStore("sqlite:./embedded.db", "."),
      instanceKey: new Uint8Array(32).fill(7),
      baseUrl: "https://planner.example.org",
      serviceName: "Planner",
      clients: [{ id: "app", name: "App", redirectUris: ["app://callback"] }],
    });
    const metadata = await service.fetch(
      new Request("https://planner.example.org/.well-known/oauth-authorization-server"),
    );
    const page = await service.fetch(new Request("https://planner.example.org/sign-in"));
    console.log((await metadata.json()).issuer, page.status, page.headers.get("content-type"));
    await service.close();
  `);
  assert.equal(printed, "https://planner.example.org 200 text/html; charset=utf-8");
});

test("the installed command imports a calendar, which its worker reads", async () => {
  const trellis = async (input: string, ...words: string[]) => {
    const program = join(home, "node_modules/.bin/trellis");
    const running = run(program, [...words, "--config", "events.json", "--json"], { cwd: home });
    running.child.stdin?.end(input);
    return JSON.parse((await running).stdout) as Record<string, unknown>;
  };
  await writeFile(join(home, "events.json"), '{ "events": {} }');
  await writeFile(
    join(home, "school.ics"),
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART;VALUE=DATE:20300107\r\nSUMMARY:Maths exam\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
  );
  const account = ["events", "account", "create", "--username", "anna", "--password-stdin"];
  await trellis("a long enough password\n", ...account);
  const report = await trellis("", "events", "import", "school.ics", "--account", "anna");
  assert.equal(report["added"], 1);
});

test("the package holds what is published, in few files", async () => {
  const paths = packedFiles;
  assert.ok(paths.includes("dist/licenses.txt"));
  assert.ok(paths.includes("vectors/sync-merge.json"));
  const outside = paths.filter((path) => !PUBLISHED.test(path));
  assert.deepEqual(outside, []);
  const modules = paths.filter((path) => path.endsWith(".js"));
  assert.ok(modules.length < 360, `${modules.length} modules`);
});

const PUBLISHED =
  /^(dist|docs|openapi|vectors)\/|^(package\.json|README\.md|LICENSE|(CHANGELOG|CONTRIBUTING|SECURITY)\.md|trellis\.config\.schema\.json)$/;
