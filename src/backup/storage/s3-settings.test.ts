import assert from "node:assert/strict";
import { test } from "node:test";
import { objectUrl, readS3Settings, type S3Settings } from "./s3-settings.ts";

const KEYS = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };

function read(
  address: string,
  env: Readonly<Record<string, string>> = KEYS,
  more: { readonly endpoint?: string; readonly isVirtualHost?: boolean } = {},
): S3Settings {
  const result = readS3Settings(address, { env, isVirtualHost: false, ...more });
  assert.ok(result.kind === "settings", JSON.stringify(result));
  return result.settings;
}

function refused(address: string, env: Readonly<Record<string, string>>, endpoint?: string) {
  const result = readS3Settings(address, { env, isVirtualHost: false, endpoint });
  assert.ok(result.kind === "invalid");
  return result.message;
}

for (const [address, env, more, url] of [
  [
    "s3://files",
    { AWS_REGION: "eu-central-1" },
    {},
    "https://files.s3.eu-central-1.amazonaws.com/a/b",
  ],
  [
    "s3://files",
    { AWS_DEFAULT_REGION: "eu-west-1" },
    {},
    "https://files.s3.eu-west-1.amazonaws.com/a/b",
  ],
  ["s3://files", {}, {}, "https://files.s3.us-east-1.amazonaws.com/a/b"],
  ["s3://my.files", {}, {}, "https://s3.us-east-1.amazonaws.com/my.files/a/b"],
  [
    "s3://files",
    { AWS_ENDPOINT_URL_S3: "https://s3.example.com" },
    {},
    "https://s3.example.com/files/a/b",
  ],
  [
    "s3://files",
    { AWS_ENDPOINT_URL: "https://s3.example.com/base/" },
    {},
    "https://s3.example.com/base/files/a/b",
  ],
  [
    "s3://files",
    { AWS_ENDPOINT_URL_S3: "https://other.example" },
    { endpoint: "https://s3.example.com" },
    "https://s3.example.com/files/a/b",
  ],
  [
    "s3://files",
    {},
    { endpoint: "https://s3.example.com", isVirtualHost: true },
    "https://files.s3.example.com/a/b",
  ],
  ["s3://files", {}, { endpoint: "http://localhost:9000" }, "http://localhost:9000/files/a/b"],
  ["s3://files", {}, { endpoint: "http://s3.localhost:9" }, "http://s3.localhost:9/files/a/b"],
] as const) {
  test(`${address} with ${JSON.stringify({ ...env, ...more })} is ${url}`, () => {
    assert.equal(objectUrl(read(address, { ...KEYS, ...env }, more), "a/b").href, url);
  });
}

test("the prefix is what follows the bucket, without slashes at its ends", () => {
  assert.equal(read("s3://files").prefix, "");
  assert.equal(read("s3://files/").prefix, "");
  assert.equal(read("s3://files//apps/habits/").prefix, "apps/habits");
});

test("Cloudflare R2 needs no region", () => {
  const endpoint = "https://account.r2.cloudflarestorage.com";
  assert.equal(read("s3://files", KEYS, { endpoint }).region, "auto");
});

test("a session token belongs to the credentials, and an empty variable is none", () => {
  const { credentials } = read("s3://files", { ...KEYS, AWS_SESSION_TOKEN: "token" });
  assert.equal(credentials.sessionToken, "token");
  const without = read("s3://files", { ...KEYS, AWS_SESSION_TOKEN: "", AWS_REGION: "" });
  assert.equal("sessionToken" in without.credentials, false);
  assert.equal(without.region, "us-east-1");
});

test("what is wrong is told, without a secret", () => {
  assert.match(refused("s3://", KEYS), /write s3:\/\/bucket\/prefix/);
  assert.match(refused("s3://user:secret@host/x", KEYS), /write s3:\/\/bucket\/prefix/);
  for (const path of ["..", "../other", "apps/../../other", "./apps", "apps/."]) {
    assert.match(refused(`s3://files/${path}`, KEYS), /write s3:\/\/bucket\/prefix, without/);
  }
  assert.equal(read("s3://files/..apps/.habits").prefix, "..apps/.habits");
  assert.match(refused("s3://files", {}), /set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/);
  assert.match(
    refused("s3://files", { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "" }),
    /set AWS_SECRET_ACCESS_KEY in/,
  );
  for (const endpoint of ["s3.example.com", "http://s3.example.com", "https://s3.example.com/?a"]) {
    assert.match(refused("s3://files", KEYS, endpoint), /must be an https:\/\/ address/);
  }
});
