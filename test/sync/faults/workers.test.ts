import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { PRODUCT_VERSION } from "../../../src/database/product-version.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { createInstance } from "./sync-instance.ts";

test(
  "a worker that died is counted in the store by the one that replaces it",
  { skip: process.platform !== "linux" && "only Linux lists the children of a process" },
  async (t) => {
    const { folder, serve } = await createInstance(t);
    const server = await serve(["--workers", "2"]);
    const [ready] = server.events();
    assert.deepEqual(
      [ready?.event, ready?.["version"], ready?.["stores"]],
      ["ready", PRODUCT_VERSION, { sync: { kind: "sqlite", hasAccount: true } }],
    );
    const { pid } = server.child;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
    const [victim = ""] = children.split(" ");
    process.kill(Number(victim), "SIGKILL");
    await server.line((line) => line.startsWith('{"event":"worker_replaced"'));
    const givesUpAt = performance.now() + 10_000;
    for (;;) {
      const { stdout } = await runInside(folder, ["sync", "status", "--json"]);
      const { securityEvents } = JSON.parse(stdout) as { securityEvents: { kind: string }[] };
      if (securityEvents.some(({ kind }) => kind === "worker-death")) break;
      assert.ok(performance.now() < givesUpAt, "it was not counted");
      await sleep(50);
    }
    assert.equal((await server.readiness()).status, 200);
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    assert.equal(server.events().filter(({ event }) => event === "worker_died").length, 1);
  },
);
