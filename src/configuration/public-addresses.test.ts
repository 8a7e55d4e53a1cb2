import assert from "node:assert/strict";
import { test } from "node:test";
import { suggestSmartDownloadUrl } from "./public-addresses.ts";

test("the suggested selector is below the name of the API, and never on a stranger's domain", () => {
  for (const [baseUrl, expected] of [
    ["https://releases.example.com", "https://get.releases.example.com"],
    ["https://example.co.uk/trellis", "https://get.example.co.uk"],
    ["http://localhost:4801", null],
    ["http://127.0.0.1:4801", null],
    ["https://192.0.2.7", null],
    ["https://[2001:db8::1]", null],
    ["nonsense", null],
    ["", null],
  ] as const) {
    assert.equal(suggestSmartDownloadUrl(baseUrl), expected, baseUrl);
  }
});
