/** Tests the server of the page, with its code. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { checkEvents, isConforming, reportToText } from "../../conformance/index.ts";
import { EVENTS_CASES } from "../../conformance/events/check-events.ts";

const PAGE = join(import.meta.dirname, "../../docs/protocol/compatibility.md");
const PASSWORD = "a long enough password";

let baseUrl: string;
let stop: () => Promise<void>;

before(async () => {
  const [, text = ""] = /^```ts\n(.*?)^```/ms.exec(await readFile(PAGE, "utf8")) ?? [];
  const folder = await mkdtemp(join(tmpdir(), "trellis-page-"));
  const file = join(folder, "service.ts");
  await writeFile(file, text);
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, PORT: "0", PASSWORD },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  baseUrl = `http://127.0.0.1:${(JSON.parse(line) as AddressInfo).port}`;
  stop = async () => {
    child.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
});

after(() => stop());

/** Opens the address as a browser would, and consents. */
async function allow(address: string): Promise<string> {
  const page = await (await fetch(address)).text();
  const [, request = ""] = /name="request" value="([^"]+)"/.exec(page) ?? [];
  const body = new URLSearchParams({ request, password: PASSWORD });
  const url = new URL("/allow", address);
  const response = await fetch(url, { method: "POST", body, redirect: "manual" });
  return response.headers.get("location") ?? "";
}

test("the server of the page passes every case of the contract", async () => {
  const publicUrl = "https://events.example.com";
  const report = await checkEvents({ baseUrl, publicUrl, clientId: "demo", allow });
  assert.ok(isConforming(report), reportToText(report));
  const contract = EVENTS_CASES.filter(({ level }) => level === "contract");
  assert.equal(report.passed, contract.length, reportToText(report));
});

test("a person consents once for each code that a case misuses, and once for the rest", async () => {
  let times = 0;
  const count = (address: string) => {
    times++;
    return allow(address);
  };
  await checkEvents({ baseUrl, clientId: "demo", allow: count });
  // The page names this number.
  assert.equal(times, 7);
});

test("with a token alone the list of events is tested, and the rest is skipped", async () => {
  const redirect_uri = "http://localhost:43823/callback";
  const query = new URLSearchParams({
    client_id: "demo",
    redirect_uri,
    response_type: "code",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  const address = await allow(`${baseUrl}/api/oauth/authorize?${query.toString()}`);
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code: new URL(address).searchParams.get("code") ?? "",
    client_id: "demo",
    redirect_uri,
    code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  });
  const response = await fetch(`${baseUrl}/api/oauth/token`, { method: "POST", body });
  const { access_token: accessToken } = (await response.json()) as { access_token: string };
  const report = await checkEvents({ baseUrl, accessToken });
  assert.equal(report.failed, 0, reportToText(report));
  const outcomeOf = (id: string) => report.results.find((result) => result.id === id)?.outcome.kind;
  assert.equal(outcomeOf("everything-changed-since-the-beginning"), "passed");
  assert.equal(outcomeOf("codes-work-once"), "skipped");
});

test("it fails the cases of the level trellis", async () => {
  const only = ["metadata-describes-the-service", "events-have-all-six-members", "codes-work-once"];
  const report = await checkEvents(
    { baseUrl, clientId: "demo", allow, level: "trellis" },
    { only },
  );
  assert.deepEqual([report.passed, report.failed], [1, 2], reportToText(report));
});
