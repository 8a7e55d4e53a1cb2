import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkAuthorization, codeRedirect, errorRedirect } from "./authorization.ts";
import { parseParameters } from "./parse-parameters.ts";

const CALLBACK = "http://localhost:43823/callback";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const DEMO = {
  id: "trellis-demo",
  name: "Demo",
  redirectUris: ["trellis-demo://auth/callback", CALLBACK],
};
const OTHER = { id: "other", name: "Other", redirectUris: ["https://other.example/cb"] };

const RIGHT: Readonly<Record<string, string>> = {
  client_id: "trellis-demo",
  redirect_uri: CALLBACK,
  response_type: "code",
  scope: "read:events",
  state: "s-1",
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
};

const search = (changes: Record<string, string | undefined> = {}) =>
  Object.entries({ ...RIGHT, ...changes })
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodeURIComponent(value)}`))
    .join("&");
const check = (text: string) => checkAuthorization(parseParameters(text), [OTHER, DEMO]);
const unknownClient = { kind: "page-error", code: "unknown-client" };
const unregistered = {
  kind: "page-error",
  code: "unregistered-redirect",
  clientId: "trellis-demo",
};

function assertRedirect(text: string, error: string, about: RegExp, state: string | null = "s-1") {
  const result = check(text);
  assert.equal(result.kind, "redirect-error", text);
  if (result.kind !== "redirect-error") return;
  assert.equal(result.error, error, text);
  assert.match(result.description, about);
  assert.match(result.description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  assert.equal(result.redirectUri, CALLBACK);
  assert.equal(result.state, state);
}

test("a right request is accepted", () => {
  assert.deepEqual(check(search()), {
    kind: "accepted",
    request: {
      clientId: "trellis-demo",
      redirectUri: CALLBACK,
      state: "s-1",
      codeChallenge: CHALLENGE,
      scope: "read:events",
    },
  });
});

for (const [what, text] of [
  ["no scope", search({ scope: undefined })],
  ["an empty scope", search({ scope: "" })],
  ["a scope of spaces", search({ scope: "  " })],
  ["the scope twice in one value", search({ scope: "read:events read:events" })],
  ["response_mode=query", search({ response_mode: "query" })],
  [
    "empty request, request_uri and response_mode",
    `${search()}&request=&request_uri=&response_mode`,
  ],
  ["unknown parameters, even repeated or broken", `${search()}&nonce=1&nonce=2&x=%ff&%zz`],
  ["a private-use address", search({ redirect_uri: "trellis-demo://auth/callback" })],
] as const) {
  test(`accepted with ${what}`, () => assert.equal(check(text).kind, "accepted"));
}

test("a state is not needed, and an empty one is none", () => {
  for (const text of [search({ state: undefined }), search({ state: "" })]) {
    const result = check(text);
    assert.equal(result.kind === "accepted" && result.request.state, null);
  }
});

for (const [what, text] of [
  ["is missing", search({ client_id: undefined })],
  ["is empty", search({ client_id: "" })],
  ["is unknown", search({ client_id: "nobody" })],
  ["has other letters", search({ client_id: "Trellis-Demo" })],
  ["is repeated", `${search()}&client_id=trellis-demo`],
  ["is repeated and empty", `${search()}&client_id=`],
  ["is malformed", `${search({ client_id: undefined })}&client_id=%ff`],
  ["is a name every object has", search({ client_id: "__proto__" })],
] as const) {
  test(`a client_id that ${what} is a page`, () => assert.deepEqual(check(text), unknownClient));
}

for (const [what, text] of [
  ["missing", search({ redirect_uri: undefined })],
  ["empty", search({ redirect_uri: "" })],
  ["repeated", `${search()}&redirect_uri=${encodeURIComponent(CALLBACK)}`],
  ["malformed", `${search({ redirect_uri: undefined })}&redirect_uri=%ff`],
  ["of another client", search({ redirect_uri: "https://other.example/cb" })],
  ["on another port", search({ redirect_uri: "http://localhost:43824/callback" })],
  ["on 127.0.0.1", search({ redirect_uri: "http://127.0.0.1:43823/callback" })],
  ["with a slash more", search({ redirect_uri: `${CALLBACK}/` })],
  ["with a query", search({ redirect_uri: `${CALLBACK}?a=1` })],
  ["in capitals", search({ redirect_uri: "HTTP://localhost:43823/callback" })],
  ["with a dot segment", search({ redirect_uri: "http://localhost:43823/x/../callback" })],
] as const) {
  test(`a redirect_uri ${what} is a page`, () => assert.deepEqual(check(text), unregistered));
}

for (const name of [
  "response_type",
  "scope",
  "code_challenge",
  "code_challenge_method",
  "request",
  "request_uri",
  "response_mode",
]) {
  test(`a repeated ${name} is sent to the app, with the state`, () => {
    const value = encodeURIComponent(RIGHT[name] ?? "x");
    const once = name in RIGHT ? search() : `${search()}&${name}=${value}`;
    assertRedirect(`${once}&${name}=${value}`, "invalid_request", new RegExp(`^${name} was`));
    assertRedirect(`${once}&${name}=`, "invalid_request", new RegExp(`^${name} was`));
  });
  test(`a malformed ${name} is sent to the app, with the state`, () => {
    const text = `${search({ [name]: undefined })}&${name}=%ff`;
    assertRedirect(text, "invalid_request", new RegExp(`^${name} is not UTF-8`));
  });
}

test("a repeated or unreadable state is sent to the app without one", () => {
  assertRedirect(`${search()}&state=s-1`, "invalid_request", /^state was given more/, null);
  for (const bad of ["%ff", "%zz", "%", "%ed%a0%80", "\u00ff"]) {
    const text = `${search({ state: undefined })}&state=${bad}`;
    assertRedirect(text, "invalid_request", /^state is not UTF-8/, null);
  }
});

test("a state has at most 1,024 characters, and a longer one is returned with the error", () => {
  for (const character of ["s", "\u{1f9ea}"]) {
    const longest = character.repeat(1_024);
    assert.equal(check(search({ state: longest })).kind, "accepted");
    const longer = `${longest}s`;
    const about = /^state has more than 1024 characters$/;
    assertRedirect(search({ state: longer }), "invalid_request", about, longer);
  }
});

for (const [changes, error, about] of [
  [{ response_type: undefined }, "invalid_request", /^response_type is missing/],
  [{ response_type: "" }, "invalid_request", /^response_type is missing/],
  [{ response_type: "token" }, "unsupported_response_type", /code/],
  [{ response_type: "code token" }, "unsupported_response_type", /code/],
  [{ response_type: "CODE" }, "unsupported_response_type", /code/],
  [{ code_challenge: undefined }, "invalid_request", /^code_challenge must/],
  [{ code_challenge: CHALLENGE.slice(1) }, "invalid_request", /^code_challenge must/],
  [{ code_challenge: `${CHALLENGE}=` }, "invalid_request", /^code_challenge must/],
  [{ code_challenge: `${CHALLENGE}\n` }, "invalid_request", /^code_challenge must/],
  [{ code_challenge_method: undefined }, "invalid_request", /^code_challenge_method/],
  [{ code_challenge_method: "plain" }, "invalid_request", /^code_challenge_method/],
  [{ code_challenge_method: "s256" }, "invalid_request", /^code_challenge_method/],
  [{ scope: "read:events write" }, "invalid_scope", /read:events/],
  [{ scope: "openid" }, "invalid_scope", /read:events/],
  [{ scope: "READ:EVENTS" }, "invalid_scope", /read:events/],
  [{ request: "x" }, "invalid_request", /^request is/],
  [{ request_uri: "urn:x" }, "invalid_request", /^request_uri is/],
  [{ response_mode: "fragment" }, "invalid_request", /^response_mode/],
  [{ response_mode: "form_post" }, "invalid_request", /^response_mode/],
] as const) {
  test(`${JSON.stringify(changes)} is ${error}`, () => {
    assertRedirect(search(changes), error, about);
  });
}

test("of several errors the first in the list counts, whatever the order of the parameters", () => {
  // Each line corrects the error before it; the last one has none.
  const errors: [Record<string, string>, string][] = [
    [{ client_id: "nobody" }, "unknown-client"],
    [{ redirect_uri: "https://evil.example" }, "unregistered-redirect"],
    [{ state: "a&state=b" }, "invalid_request state was"],
    [{ scope: "%ff" }, "invalid_request scope is not"],
    [{ state: "s".repeat(1_025) }, "invalid_request state has"],
    [{ response_type: "" }, "invalid_request response_type"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ code_challenge: "short" }, "invalid_request code_challenge must"],
    [{ code_challenge_method: "plain" }, "invalid_request code_challenge_method"],
    [{ scope: "openid" }, "invalid_scope"],
    [{ request: "x" }, "invalid_request request is"],
    [{ response_mode: "fragment" }, "invalid_request response_mode"],
  ];
  for (const [index, [, expected]] of errors.entries()) {
    const changes = errors.slice(index).toReversed();
    const named = new Map(Object.entries(RIGHT));
    for (const [name, value] of changes.flatMap(([change]) => Object.entries(change))) {
      named.set(name, value);
    }
    const pairs = [...named].map(([name, value]) => `${name}=${value}`);
    for (const text of [pairs.join("&"), pairs.toReversed().join("&")]) {
      const result = check(text);
      const found =
        result.kind === "page-error"
          ? result.code
          : result.kind === "redirect-error"
            ? `${result.error} ${result.description}`
            : "accepted";
      assert.ok(found.startsWith(expected), `${found} instead of ${expected}`);
    }
  }
});

test("only registered redirect URIs are redirected to, and every description is ASCII", () => {
  const name = fc.constantFrom(...Object.keys(RIGHT), "request", "response_mode", "x");
  const value = fc.oneof(fc.constantFrom(...Object.values(RIGHT), "", "%ff", "ü"), fc.string());
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
      const text = [search(), ...pairs.map(([key, item]) => `${key}=${item}`)].join("&");
      const result = check(text);
      if (result.kind === "redirect-error") {
        assert.ok(DEMO.redirectUris.includes(result.redirectUri));
        assert.match(result.description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
      } else if (result.kind === "accepted") {
        assert.equal(result.request.redirectUri, CALLBACK);
      }
    }),
  );
});

const issuer = "https://events.example.com";
const ISS = "iss=https%3A%2F%2Fevents.example.com";

for (const [redirectUri, address] of [
  ["http://localhost:43823/callback", `http://localhost:43823/callback?code=c-1&state=s-1&${ISS}`],
  ["trellis-demo://auth/callback", `trellis-demo://auth/callback?code=c-1&state=s-1&${ISS}`],
  ["com.example.app:/cb", `com.example.app:/cb?code=c-1&state=s-1&${ISS}`],
  ["https://app.example/cb?a=%20b", `https://app.example/cb?a=%20b&code=c-1&state=s-1&${ISS}`],
] as const) {
  test(`a code goes to ${redirectUri}, which stays as it is`, () => {
    assert.equal(codeRedirect({ redirectUri, code: "c-1", state: "s-1", issuer }), address);
  });
}

test("an error redirect has a description, and a state only when one was sent", () => {
  const redirectUri = "trellis-demo://auth/callback";
  const denied = { error: "access_denied", description: "The person said no" } as const;
  const text = "error=access_denied&error_description=The%20person%20said%20no";
  assert.equal(
    errorRedirect({ redirectUri, ...denied, state: "s 1&code=evil", issuer }),
    `${redirectUri}?${text}&state=s%201%26code%3Devil&${ISS}`,
  );
  assert.equal(
    errorRedirect({ redirectUri, ...denied, state: null, issuer }),
    `${redirectUri}?${text}&${ISS}`,
  );
});

test("the app receives its state byte for byte", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1 }).filter((s) => s.isWellFormed());
  const uris = fc.constantFrom("trellis-demo://auth/callback", "https://app.example/cb?x=1");
  fc.assert(
    fc.property(text, uris, (sent, redirectUri) => {
      const search = new URLSearchParams({ state: sent }).toString();
      const state = parseParameters(search).values.get("state") ?? null;
      const address = codeRedirect({ redirectUri, code: "c-1", state, issuer });
      assert.match(address, /^[\x21-\x7e]+$/);
      const read = new URL(address).searchParams;
      assert.deepEqual(read.getAll("state"), [sent]);
      assert.deepEqual(read.getAll("code"), ["c-1"]);
      assert.deepEqual(read.getAll("iss"), [issuer]);
    }),
  );
});
