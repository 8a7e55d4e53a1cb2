import assert from "node:assert/strict";
import { test } from "node:test";
import { createInstanceKey } from "../../identity/instance-key.ts";
import { newKeyRing, rotateKeyRing } from "../../identity/key-ring.ts";
import { randomBytes } from "../../rules/web-crypto.ts";
import { createAccessTokens, createAuthentication } from "./access-tokens.ts";

const RING = newKeyRing(randomBytes(32));
const TOKENS = createAccessTokens(createInstanceKey(RING));

test("an access token is recognised by the instance that made it, and by no other", () => {
  const token = TOKENS.create(randomBytes);
  assert.match(token, /^trs_at_[\w-]{54}$/);
  assert.ok(TOKENS.isGenuine(token));
  const other = createAccessTokens(createInstanceKey(randomBytes(32)));
  assert.equal(other.isGenuine(token), false);
});

test("a token stays genuine after the instance key was rotated", () => {
  const token = TOKENS.create(randomBytes);
  const rotated = createAccessTokens(createInstanceKey(rotateKeyRing(RING, 1, 1)));
  assert.ok(rotated.isGenuine(token));
  assert.equal(TOKENS.isGenuine(rotated.create(randomBytes)), false);
});

test("a token with a wrong part, of another length or of the old form is made up", () => {
  const token = TOKENS.create(randomBytes);
  const changed = [...token].map((letter, index) => {
    const other = letter === "A" ? "B" : "A";
    return index < "trs_at_".length
      ? token.slice(1)
      : `${token.slice(0, index)}${other}${token.slice(index + 1)}`;
  });
  const old = `trs_at_${Buffer.from(randomBytes(32)).toString("base64url")}`;
  for (const made of [...changed, token.slice(0, -1), `${token}A`, old, "", "trs_at_"]) {
    assert.equal(TOKENS.isGenuine(made), false);
  }
});

test("only a genuine token is looked up in the store", async () => {
  const lookups: string[] = [];
  const store = {
    async findAccess(hash: string) {
      lookups.push(hash);
      return null;
    },
  };
  const authenticate = createAuthentication(store, TOKENS, () => 0);
  const ask = (token: string) =>
    authenticate({
      method: "GET",
      target: "/v1/device",
      remoteAddress: undefined,
      header: () => `Bearer ${token}`,
      async *body() {},
    });
  assert.deepEqual(await ask(`trs_at_${"A".repeat(54)}`), { kind: "unauthenticated" });
  assert.equal(lookups.length, 0);
  assert.deepEqual(await ask(TOKENS.create(randomBytes)), { kind: "unauthenticated" });
  assert.equal(lookups.length, 1);
});
