/** Addresses that a person types, and whether they may be those of an events service. */
import { ORIGIN_ERRORS } from "../../src/rules/events/client/origin-errors.ts";
import { parseServiceOrigin } from "../../src/rules/events/client/service-origin.ts";
import type { VectorSource } from "./vector-file.ts";

interface OriginInput {
  readonly text: string;
}

export function createOriginVectors(): VectorSource<OriginInput> {
  const inputs = Object.entries(ADDRESSES).flatMap(([group, texts]) =>
    texts.map((text) => [`${group}: ${JSON.stringify(text)}`, { text }] as const),
  );
  return {
    name: "events-origin",
    description:
      "Whether a text that a person typed is the origin of an events service: docs/protocol/events.md, What a client must do. `expected` is accepted with the normalised origin, or refused with the reason.",
    inputs: Object.fromEntries(inputs),
    expect: ({ text }) => parseServiceOrigin(text),
    codes: ["accepted", ...Object.keys(ORIGIN_ERRORS)],
  };
}

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  origin: [
    "https://planner.example.org",
    "https://planner.example.org/",
    "HTTPS://Planner.Example.ORG",
    "https://planner.example.org:443",
    "https://planner.example.org.",
    "https://b\u00fccher.example",
    "https://xn--bcher-kva.example",
    "https://planner",
    "https://8.8.8.8",
    "https://[2606:4700:4700::1111]",
  ],
  nothing: [""],
  characters: [
    " https://planner.example.org",
    "https://planner.example.org\n",
    "https://planner\u200b.example.org",
    "https:\\\\planner.example.org",
    "https://planner\u3002example.org",
  ],
  scheme: [
    "http://planner.example.org",
    "planner.example.org",
    "javascript:alert(1)",
    "https:planner.example.org",
  ],
  credentials: [
    "https://ada@planner.example.org",
    "https://ada:x@planner.example.org",
    "https://@planner.example.org",
  ],
  path: ["https://planner.example.org/calendar", "https://planner.example.org//"],
  query: ["https://planner.example.org?", "https://planner.example.org/?a=1"],
  fragment: ["https://planner.example.org#", "https://planner.example.org/#a"],
  port: ["https://planner.example.org:8443", "https://planner.example.org:"],
  "no host": ["https://", "https://planner..example.org", "https://[::g]"],
  "local name": [
    "https://localhost",
    "https://local.",
    "https://app.localhost",
    "https://printer.local",
    "https://router.localdomain",
  ],
  "private address": [
    "https://127.0.0.1",
    "https://10.0.0.1",
    "https://172.16.0.1",
    "https://192.168.1.1",
    "https://169.254.169.254",
    "https://100.64.0.1",
    "https://0.0.0.0",
    "https://192.0.2.1",
    "https://224.0.0.1",
    "https://255.255.255.255",
    "https://[::1]",
    "https://[::]",
    "https://[fd00::1]",
    "https://[fe80::1]",
    "https://[2001:db8::1]",
    "https://[::ffff:8.8.8.8]",
  ],
  disguise: ["https://0x8.8.8.8", "https://8.8.2056", "https://planner%2eexample.org"],
};
