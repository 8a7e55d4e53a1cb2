import assert from "node:assert/strict";
import { test } from "node:test";
import { processorOfAgent, processorOfHints } from "./detect-processor.ts";

const AGENTS = [
  ["Mozilla/5.0 (X11; Linux aarch64; rv:153.0) Gecko/20100101 Firefox/153.0", "arm64"],
  ["Mozilla/5.0 (X11; Linux armv7l; rv:115.0) Gecko/20100101 Firefox/115.0", "arm"],
  ["Mozilla/5.0 (X11; Linux i686; rv:115.0) Gecko/20100101 Firefox/115.0", "x86"],
  // What Firefox of 32 bits says on a processor of 64.
  ["Mozilla/5.0 (X11; Linux i686 on x86_64; rv:115.0) Gecko/20100101 Firefox/115.0", null],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0", null],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0", null],
] as const;

test("an agent names the processor, except the one that Chromium names everywhere", () => {
  for (const [agent, processor] of AGENTS) assert.equal(processorOfAgent(agent), processor, agent);
});

test("the hints of Chromium name the processor, and nothing where they say nothing", () => {
  assert.equal(processorOfHints({ architecture: "arm", bitness: "64" }), "arm64");
  assert.equal(processorOfHints({ architecture: "arm", bitness: "32" }), "arm");
  assert.equal(processorOfHints({ architecture: "x86", bitness: "64" }), "x64");
  assert.equal(processorOfHints({ architecture: "x86", bitness: "32" }), "x86");
  assert.equal(processorOfHints({ architecture: "", bitness: "" }), null);
  assert.equal(processorOfHints({}), null);
});
