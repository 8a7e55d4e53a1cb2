/** An instance among several is exactly what the contract describes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkSync, isConforming, reportToText } from "../../../conformance/index.ts";
import { SYNC_CASES } from "../../../conformance/sync/check-sync.ts";
import { serveService } from "../../fixtures/listen-on-localhost.ts";
import {
  addAccount,
  createHostPlace,
  originOf,
  PASSWORD,
  REDIRECT_URI,
  startHost,
  USERNAME,
} from "./serve-host.ts";

/** One case in six: all of them pass against the same service by itself, which takes long enough. */
const SAMPLE = SYNC_CASES.filter((_, index) => index % 6 === 0).map(({ id }) => id);

test("an instance among several passes the cases of the contract", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await addAccount(place, "ada");
  const own = { displayName: "Ada's sync", corsOrigins: ["https://app.example.org"] };
  const { baseUrl } = await serveService(
    t,
    (address) =>
      startHost(t, place, [], {
        instances: { ada: { baseUrl: address, ...own }, bob: { baseUrl: originOf("bob") } },
      }),
    ({ http }) => http,
  );
  const server = {
    baseUrl,
    publicUrl: baseUrl,
    username: USERNAME,
    password: PASSWORD,
    displayName: own.displayName,
    redirectUri: REDIRECT_URI,
    corsOrigin: "https://app.example.org",
    headerPrefix: "Service",
    allowRevokeAll: true,
    allowThrottle: true,
  };
  const report = await checkSync(server, { only: SAMPLE });
  assert.ok(isConforming(report), reportToText(report));
  const skipped = report.results.flatMap(({ outcome }) =>
    outcome.kind === "skipped" ? [outcome.reason] : [],
  );
  // What this instance does not have.
  for (const reason of skipped) assert.match(reason, /passkey|profile sealed|plain http/);
  assert.ok(report.passed > skipped.length, reportToText(report));
});
