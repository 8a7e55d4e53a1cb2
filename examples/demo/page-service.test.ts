import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { handleFetch } from "../../src/http/fetch.ts";
import type { DemoControls } from "./demo-controls.ts";
import { createDemoPageService } from "./page-service.ts";

const ORIGIN = "http://localhost:4800";
const devices = [
  { name: "phone", origin: "http://localhost:4831" },
  { name: "laptop", origin: "http://localhost:4832" },
] as const;

const places = {
  website: "http://localhost:4803",
  release: "http://localhost:4801",
  smartDownload: "http://localhost:4802",
  sync: "http://localhost:4811",
  signIn: "http://localhost:4811/v1/authorize",
  events: "http://localhost:4821",
  authorize: "http://localhost:4821/api/oauth/authorize",
  docs: null,
  account: { username: "demo", password: "demo-password" },
};

/** Records which controls ran. */
function createService() {
  const ran: string[] = [];
  const aborted = Promise.withResolvers<void>();
  const controls: DemoControls = {
    readStore: async () => ({ entities: 1, operations: 2, generation: "g", newest: [], week: [] }),
    authorize: async (url) => `${url}?code=1`,
    restore: async () => {
      ran.push("restore");
      return { replaced: 3, restored: 2 };
    },
    publish: async () => {
      throw new Error("Release 1.4.0 cannot be published");
    },
    setHomework: async (language) => `Homework in ${language}`,
    takeOverMirror: async (isTakenOver) => ({ forgedVersion: isTakenOver ? "9.9.9" : null }),
    async runConformance(service, onResult, signal) {
      if (service === "events") throw new Error("It cannot start");
      ran.push(service);
      onResult({ id: "one", title: "One", result: "passed" });
      if (service === "release") await once(signal, "abort").then(() => aborted.resolve());
    },
  };
  const backupCreatedAt = "2026-01-30T19:00:00.000Z";
  const shown = { devices, backupCreatedAt, recoveryKey: "7K2M-9QXT" };
  const service = createDemoPageService({ origin: ORIGIN, ...shown, places, controls });
  const ask = (path: string, init: RequestInit = {}) =>
    handleFetch(
      service,
      new Request(`${ORIGIN}${path}`, {
        ...init,
        headers: { Host: "localhost:4800", ...(init.headers as Record<string, string>) },
      }),
    );
  return { ran, aborted: aborted.promise, ask };
}

async function createPost() {
  const { ask, ...seen } = createService();
  const page = await (await ask("/")).text();
  const token = /&quot;token&quot;:&quot;([\w-]{43})&quot;/.exec(page)?.[1] ?? "";
  assert.notEqual(token, "");
  const post = (name: string, headers: Record<string, string> = {}, body = "{}") =>
    ask(`/control/${name}`, {
      method: "POST",
      headers: {
        Origin: ORIGIN,
        "Sec-Fetch-Site": "same-origin",
        "X-Demo-Token": token,
        "Content-Type": "application/json",
        ...headers,
      },
      body,
    });
  return { ...seen, ask, post };
}

test("the page frames the devices and nothing else, and cannot be framed", async () => {
  const response = await createService().ask("/");
  assert.equal(response.status, 200);
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  assert.match(policy, /frame-src http:\/\/localhost:4831 http:\/\/localhost:4832;/);
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.match(policy, /script-src 'nonce-[^']+'/);
  assert.equal(response.headers.get("X-Frame-Options"), "DENY");
  assert.equal(response.headers.get("Cache-Control"), "no-store");
  assert.match(await response.text(), /<html lang="en">/);
});

test("the page follows the language of the browser, or the chosen one", async () => {
  const { ask } = createService();
  const german = await ask("/", { headers: { "Accept-Language": "de-DE,de;q=0.9" } });
  assert.match(await german.text(), /<html lang="de">/);
  const chosen = await ask("/?lang=en", { headers: { "Accept-Language": "de" } });
  assert.match(await chosen.text(), /<html lang="en">/);
});

test("the page's own requests run the controls", async () => {
  const { ran, post } = await createPost();
  assert.deepEqual(await (await post("restore")).json(), { replaced: 3, restored: 2 });
  assert.deepEqual(ran, ["restore"]);
  const homework = await post("homework", {}, '{"language":"de"}');
  assert.deepEqual(await homework.json(), { title: "Homework in de" });
});

test("a page that is loaded again knows the steps that were finished", async () => {
  const { ask, post } = await createPost();
  const readDone = async () =>
    /&quot;done&quot;:\[([^\]]*)\]/.exec(await (await ask("/")).text())?.[1];
  assert.equal(await readDone(), "");
  assert.equal((await post("finish", {}, '{"step":"offline"}')).status, 200);
  assert.equal((await post("finish", {}, '{"step":"other"}')).status, 500);
  assert.equal(await readDone(), "&quot;offline&quot;");
});

test("the conformance kit sends a line for each case, and the last one says why a run broke off", async () => {
  const { ran, post } = await createPost();
  const sync = await post("conformance", {}, '{"service":"sync"}');
  assert.equal(sync.headers.get("Content-Type"), "application/x-ndjson");
  assert.equal(await sync.text(), '{"id":"one","title":"One","result":"passed"}\n');
  assert.deepEqual(ran, ["sync"]);
  const broken = await post("conformance", {}, '{"service":"events"}');
  assert.equal(await broken.text(), '{"error":"Error: It cannot start"}\n');
  const unknown = await post("conformance", {}, '{"service":"mail"}');
  assert.equal(unknown.status, 500);
});

test("the conformance kit stops when its page was closed", async () => {
  const { ran, aborted, post } = await createPost();
  const { body } = await post("conformance", {}, '{"service":"release"}');
  const reader = body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await aborted;
  assert.deepEqual(ran, ["release"]);
});

test("a control that fails says why", async () => {
  const { post } = await createPost();
  const response = await post("publish");
  assert.equal(response.status, 500);
  assert.deepEqual(await response.json(), { error: "Release 1.4.0 cannot be published" });
});

test("other sites, and requests without the page's token, run nothing", async () => {
  const { ran, ask, post } = await createPost();
  const refused: readonly Record<string, string>[] = [
    { Origin: "https://evil.example" },
    { Origin: "http://localhost:4831" },
    { Origin: "null" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
    { "X-Demo-Token": "" },
    { "X-Demo-Token": "A".repeat(43) },
  ];
  for (const headers of refused) {
    const response = await post("restore", headers);
    assert.equal(response.status, 403, JSON.stringify(headers));
    assert.equal(response.headers.get("Access-Control-Allow-Origin"), null);
  }
  assert.equal((await ask("/control/restore")).status, 405);
  assert.equal((await post("restore", { "Content-Type": "text/plain" })).status, 400);
  assert.equal((await post("restore", {}, "[]")).status, 400);
  assert.equal((await post("nothing")).status, 404);
  assert.deepEqual(ran, []);
});

test("under another name the page is not served, so that no site can read the token", async () => {
  const { ran, ask, post } = await createPost();
  for (const host of ["evil.example:4800", "127.0.0.1:4800", "localhost:4801"]) {
    const page = await ask("/", { headers: { Host: host } });
    assert.equal(page.status, 302, host);
    assert.equal(page.headers.get("Location"), `${ORIGIN}/`);
    assert.equal((await post("restore", { Host: host })).status, 421, host);
  }
  assert.deepEqual(ran, []);
});

test("only the page is served, by GET and HEAD", async () => {
  const { ask } = createService();
  assert.equal((await ask("/other")).status, 404);
  assert.equal((await ask("/", { method: "DELETE" })).status, 405);
  const head = await ask("/", { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), "");
});
