/**
 * Node makes an object for each `process.nextTick`, several for every request. V8 forgets what it has
 * learnt of a class of objects when a collection finds none of them alive; code that is optimized
 * after that makes them the slow way for good, which is a tenth of a short answer's time. So one is
 * kept alive. Nothing depends on it but speed.
 */
import { executionAsyncResource } from "node:async_hooks";

const kept: object[] = [];

export function keepTickObject(): void {
  if (kept.length > 0) return;
  process.nextTick(() => kept.push(executionAsyncResource()));
}
