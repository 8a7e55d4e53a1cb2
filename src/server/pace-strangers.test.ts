import assert from "node:assert/strict";
import { test } from "node:test";
import type { RawRequest } from "../http/request.ts";
import type { CompleteResponse } from "../http/response.ts";
import { paceStrangers } from "./pace-strangers.ts";

test("a device is not behind the strangers that came before it", async () => {
  const begun: string[] = [];
  const response = { status: 200 } as CompleteResponse;
  const paced = paceStrangers(
    {
      respond({ target }) {
        begun.push(target);
        return response;
      },
      protocolErrorResponse: () => response,
    },
    ({ target }) => target !== "/device",
  );
  const targets = ["/stranger/1", "/stranger/2", "/stranger/3", "/device"];
  const responses = targets.map(async (target) => paced.respond({ target } as RawRequest));
  assert.deepEqual(begun, ["/device"]);
  assert.deepEqual(await Promise.all(responses), [response, response, response, response]);
  assert.deepEqual(begun, ["/device", "/stranger/1", "/stranger/2", "/stranger/3"]);
});
