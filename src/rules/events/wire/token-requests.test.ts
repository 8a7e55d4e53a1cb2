import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkRevocationRequest,
  checkTokenRequest,
  type FormError,
  type FormRequest,
} from "./token-requests.ts";

const CLIENTS = [{ id: "trellis-demo", name: "Demo", redirectUris: ["trellis-demo://cb"] }];
const RIGHT =
  "grant_type=authorization_code&code=c-1&client_id=trellis-demo&redirect_uri=trellis-demo%3A%2F%2Fcb&code_verifier=v-1";
const REVOCATION = "token=tre_at_x&client_id=trellis-demo";

const form = (text: string, changes: Partial<FormRequest> = {}): FormRequest => ({
  body: { kind: "text", text },
  search: "",
  authorization: null,
  ...changes,
});
const without = (name: string, text = RIGHT) =>
  text
    .split("&")
    .filter((pair) => !pair.startsWith(`${name}=`))
    .join("&");
const summary = (result: { kind: "accepted" } | FormError) =>
  result.kind === "accepted"
    ? "accepted"
    : `${result.status} ${result.error}: ${result.description}`;
const token = (text: string, changes?: Partial<FormRequest>) =>
  checkTokenRequest(form(text, changes), CLIENTS);
const revocation = (text: string, changes?: Partial<FormRequest>) =>
  checkRevocationRequest(form(text, changes), CLIENTS);

test("a valid request is accepted", () => {
  assert.deepEqual(token(RIGHT), {
    kind: "accepted",
    clientId: "trellis-demo",
    code: "c-1",
    redirectUri: "trellis-demo://cb",
    codeVerifier: "v-1",
  });
  assert.deepEqual(revocation(`${REVOCATION}&token_type_hint=refresh_token`), {
    kind: "accepted",
    clientId: "trellis-demo",
    token: "tre_at_x",
  });
});

test("a secret, a scope and unknown parameters are ignored; so is another scheme than Basic", () => {
  assert.equal(token(`${RIGHT}&client_secret=x&scope=y&z=`).kind, "accepted");
  assert.equal(token(RIGHT, { authorization: "Bearer x" }).kind, "accepted");
  assert.equal(token(RIGHT, { search: "&&" }).kind, "accepted");
});

for (const [what, check, right] of [
  ["token", token, RIGHT],
  ["revocation", revocation, REVOCATION],
] as const) {
  const refused = (text: string, changes?: Partial<FormRequest>) => summary(check(text, changes));

  test(`${what}: a body that is no form, too large or unreadable`, () => {
    const body = (kind: "unsupported-media-type" | "too-large" | "invalid-json" | "incomplete") =>
      refused("", { body: { kind } });
    assert.match(body("unsupported-media-type"), /^400 invalid_request: .*x-www-form-urlencoded/);
    assert.match(body("too-large"), /^413 invalid_request: .*too large/);
    assert.match(body("invalid-json"), /^400 invalid_request: .*UTF-8/);
    assert.match(body("incomplete"), /^400 invalid_request: .*UTF-8/);
    assert.match(refused(`${right}&x=%ff`), /^400 invalid_request: .*UTF-8/);
    assert.match(refused(`${right}&%zz`), /^400 invalid_request: .*UTF-8/);
  });

  test(`${what}: any parameter twice, and any in the query`, () => {
    for (const pair of right.split("&")) {
      assert.match(refused(`${right}&${pair}`), /^400 invalid_request: .*more than once/);
      assert.match(refused(right, { search: pair }), /^400 invalid_request: .*not in the address/);
    }
    assert.match(refused(`${right}&x=1&x=2`), /^400 invalid_request: .*more than once/);
    assert.match(refused(right, { search: "x=%ff" }), /^400 invalid_request: .*address/);
    assert.match(refused(right, { search: "x=1&x=2" }), /^400 invalid_request: .*address/);
  });

  test(`${what}: Basic is challenged, in any spelling`, () => {
    for (const authorization of ["Basic dHJlbGxpczp4", "basic x", "BASIC", "Basic "]) {
      const result = check(right, { authorization });
      assert.match(summary(result), /^401 invalid_client/);
      assert.equal(result.kind === "refused" && result.challenge, 'Basic realm="events"');
    }
  });

  test(`${what}: every member is needed, and an empty one is none`, () => {
    for (const pair of right.split("&")) {
      const [name = ""] = pair.split("=");
      const missing = new RegExp(`^400 invalid_request: ${name} is missing$`);
      assert.match(refused(without(name, right)), missing);
      assert.match(refused(`${without(name, right)}&${name}=`), missing);
    }
  });

  test(`${what}: an unknown client gets no challenge`, () => {
    const result = check(`${without("client_id", right)}&client_id=nobody`);
    assert.match(summary(result), /^401 invalid_client/);
    assert.equal(result.kind === "refused" && result.challenge, null);
  });
}

test("other grant types are not supported", () => {
  for (const type of ["refresh_token", "password", "client_credentials", "Authorization_code"]) {
    const text = `${without("grant_type")}&grant_type=${type}`;
    assert.match(summary(token(text)), /^400 unsupported_grant_type/);
  }
});

test("of several errors the first in the list counts", () => {
  const basic = { authorization: "Basic x" };
  const query = { search: "code=1" };
  for (const [result, expected] of [
    [
      token("", { body: { kind: "unsupported-media-type" }, ...basic, ...query }),
      /form-urlencoded/,
    ],
    [token("", { body: { kind: "too-large" }, ...basic, ...query }), /^413/],
    [token("code=1&code=2", { ...basic, ...query }), /more than once/],
    [token("", { ...basic, ...query }), /address/],
    [token("", basic), /^401 invalid_client/],
    [token("client_id=nobody"), /grant_type is missing/],
    [token("grant_type=x&client_id=nobody"), /unsupported_grant_type/],
    [token("grant_type=authorization_code"), /client_id is missing/],
    [token("grant_type=authorization_code&client_id=nobody"), /code is missing/],
    [token(`${without("code_verifier").replace("trellis-demo", "nobody")}`), /code_verifier is/],
    [token(RIGHT.replace("trellis-demo", "nobody")), /^401 invalid_client/],
    [revocation("client_id=nobody"), /token is missing/],
  ] as const) {
    assert.match(summary(result), expected);
  }
});

test("descriptions contain nothing of the request", () => {
  for (const result of [
    token(`${RIGHT}&evil%22=1&evil%22=2`),
    token(`${without("grant_type")}&grant_type=evil`),
    token(`${without("client_id")}&client_id=evil`),
    token(RIGHT, { search: "evil=1" }),
  ]) {
    assert.doesNotMatch(summary(result), /evil/);
  }
});
