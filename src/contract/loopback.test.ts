import assert from "node:assert/strict";
import { test } from "node:test";
import { isLoopback } from "./loopback.ts";

test("only names and addresses of this machine are loopback", () => {
  const hostOf = (address: string) => new URL(address).hostname;
  for (const address of [
    "http://localhost:1",
    "http://ada.localhost:4811",
    "http://sync.Ada.LOCALHOST",
    "http://127.0.0.1",
    "http://127.9",
    "http://[::1]/",
  ])
    assert.ok(isLoopback(hostOf(address)), address);
  for (const address of [
    "http://localhost.example.com",
    "http://ada.localhost.example.com",
    "http://adalocalhost",
    "http://.localhost",
    "http://ada..localhost",
    "http://127.0.0.1.example.com",
    "http://example.com/127.0.0.1",
    "http://128.0.0.1",
    "http://[::2]",
    "http://0.0.0.0",
  ])
    assert.ok(!isLoopback(hostOf(address)), address);
});
