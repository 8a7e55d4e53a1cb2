/** How a process learns of the commits of others where it cannot listen. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openPostgres } from "../../src/database/postgres.ts";
import { createMessageReader, readStatement } from "./postgres-messages.ts";
import { startPostgres } from "./start-postgres.ts";
import { startProxy } from "./start-proxy.ts";

const INSTANCES = [1, 2, 3];

test("a process that cannot listen asks for all instances that it watches with one statement", async (t) => {
  const url = await (await startPostgres()).createDatabase();
  let requests: string[] = [];
  const proxy = await startProxy(t, url, () => {
    const textByName = new Map<string, string>();
    return {
      onClientData: createMessageReader("client", (message) => {
        const statement = readStatement(message);
        if (message.type === "P") textByName.set(statement?.name ?? "", statement?.text ?? "");
        else if (statement !== null) requests.push(statement.text);
        const [, name = ""] = message.body.toString("latin1").split("\0", 2);
        if (message.type === "B") requests.push(textByName.get(name) ?? "");
      }),
      onServerData() {},
    };
  });
  const address = `${proxy.url}?sslmode=disable&listen=none`;
  const told = new Map<number, number>();
  for (const instance of INSTANCES) {
    const database = await openPostgres(address, { instance });
    t.after(() => database.close());
    database.watch("a", () => told.set(instance, (told.get(instance) ?? 0) + 1));
  }
  for (const instance of INSTANCES) {
    const other = await openPostgres(url, { instance });
    t.after(() => other.close());
    const before = told.get(instance);
    await other.transaction(async (tx) => tx.notify("a"));
    while (told.get(instance) === before) await wait(10);
  }

  requests = [];
  while (requests.length < 4) await wait(10);
  const [text = "", ...others] = new Set(requests);
  assert.deepEqual(others, []);
  assert.match(text, /trellis_head/);
  assert.match(text, /system_identifier.*timeline/s);
});
