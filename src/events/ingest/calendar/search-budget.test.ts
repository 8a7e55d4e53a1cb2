import assert from "node:assert/strict";
import { test } from "node:test";
import { createSearchBudget } from "./search-budget.ts";

test("every rule has its own time, and beyond it all share one", () => {
  let time = 0;
  const budget = createSearchBudget(() => time);
  const costly = budget.beginRule();
  time += 100;
  assert.equal(costly.mayGoOn(), true);
  time += 999;
  assert.equal(costly.mayGoOn(), true);
  assert.equal(budget.isUsedUp(), false);
  time += 1;
  assert.equal(costly.mayGoOn(), false);
  assert.equal(budget.isUsedUp(), true);

  const usual = budget.beginRule();
  time += 100;
  assert.equal(usual.mayGoOn(), true);
  time += 1;
  assert.equal(usual.mayGoOn(), false);
});

test("time is counted once", () => {
  let time = 0;
  const budget = createSearchBudget(() => time);
  const rule = budget.beginRule();
  time += 1_000;
  for (let call = 0; call < 5; call++) assert.equal(rule.mayGoOn(), true);
  time += 99;
  assert.equal(rule.mayGoOn(), true);
});

test("the processor time of the thread is what counts", () => {
  assert.equal(createSearchBudget().beginRule().mayGoOn(), true);
});
