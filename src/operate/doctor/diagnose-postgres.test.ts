import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnosePostgres } from "./diagnose-postgres.ts";

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  "db.example.com": ["10.0.0.9", "93.184.215.14"],
  "db.internal": ["10.0.0.9", "fd00::9"],
  localhost: ["127.0.0.1", "::1"],
};

async function resolve(name: string): Promise<readonly string[]> {
  const found = /^[\d.:a-f]+$/.test(name) ? [name] : ADDRESSES[name];
  return found ?? Promise.reject(new Error("ENOTFOUND"));
}

for (const [address, level, message] of [
  ["127.0.0.1/d", "ok", /stays on this machine/],
  ["localhost/d?sslmode=require", "ok", /stays on this machine/],
  ["%2Frun%2Fpostgresql/d?sslmode=disable", "ok", /Unix socket in \/run\/postgresql/],
  ["192.168.1.5/d", "ok", /may be unencrypted, in a private network/],
  ["[fd00::5]/d?sslmode=disable", "ok", /may be unencrypted, in a private network/],
  ["db.internal/d", "ok", /db\.internal \(10\.0\.0\.9\) may be unencrypted, in a private network/],
  ["192.168.1.5/d?sslmode=require", "warning", /sslmode=require verifies no certificate/],
  ["db.example.com/d?sslmode=require", "warning", /sslmode=require verifies no certificate/],
  [
    "db.example.com/d?sslmode=require&sslrootcert=ca.pem",
    "ok",
    /need TLS and a certificate that is verified/,
  ],
  ["db.example.com/d?sslmode=verify-full", "ok", /need TLS and a certificate that is verified/],
  [
    "db.example.com/d?sslmode=disable",
    "warning",
    /to db\.example\.com \(93\.184\.215\.14\) is unencrypted, and leaves the private network/,
  ],
  ["93.184.215.14/d", "warning", /sslmode=prefer neither insists on TLS nor verifies/],
  ["100.64.0.9/d?sslmode=disable", "warning", /is unencrypted, and leaves the private network/],
  ["[2600:1406::1]/d?sslmode=disable", "warning", /is unencrypted, and leaves the private network/],
  ["db.invalid/d", "warning", /the name db\.invalid cannot be resolved/],
] as const) {
  test(`the way to ${address} is ${level === "ok" ? "good enough" : "warned of"}`, async () => {
    const findings = await diagnosePostgres(
      "sync store",
      `postgres://ada:s3cret@${address}`,
      resolve,
    );
    assert.deepEqual(
      findings.map((finding) => [finding.subject, finding.level]),
      [["sync store", level]],
    );
    assert.match(findings[0]?.message ?? "", message);
    assert.doesNotMatch(JSON.stringify(findings), /s3cret/);
    if (level !== "ok") assert.match(findings[0]?.remedy ?? "", /sslmode=verify-full/);
  });
}
