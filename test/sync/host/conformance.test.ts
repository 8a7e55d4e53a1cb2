/** An instance among several is exactly what the contract describes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkSync, isConforming, reportToText } from "../../../src/conformance/index.ts";
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
  const report = await checkSync({
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
  });
  assert.ok(isConforming(report), reportToText(report));
  const skipped = report.results.filter(({ outcome }) => outcome.kind === "skipped");
  // The public address of the test is http.
  assert.deepEqual(
    skipped.map(({ id }) => id),
    ["https-answers-carry-hsts"],
  );
});
