import assert from "node:assert/strict";
import { test } from "node:test";
import { pace } from "./pace.ts";

test("the first call runs at once, and those within the gap together at its end", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let runs = 0;
  const paced = pace(() => runs++, 50);
  for (let call = 0; call < 10; call++) paced.run();
  assert.equal(runs, 1);
  t.mock.timers.tick(50);
  assert.equal(runs, 2);
  t.mock.timers.tick(50);
  assert.equal(runs, 2);
  paced.run();
  assert.equal(runs, 3, "after a quiet gap it runs at once again");
  paced.run();
  paced.stop();
  t.mock.timers.tick(100);
  assert.equal(runs, 3);
});
