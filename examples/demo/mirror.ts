/**
 * Where the devices of the demo look for updates: a copy of the release service on another address, like a CDN.
 * An attacker who takes it over can serve anything but what the maker has signed.
 */
import { generateKeyPairSync, sign } from "node:crypto";
import { RELEASE_ROUTES } from "../../src/contract/release/routes.ts";
import type {
  ManifestPayload,
  Release,
  SignedManifestEnvelope,
} from "../../src/contract/release/schemas.ts";
import type { HttpService } from "../../src/http/create-http-service.ts";
import { createPlainService } from "../../src/http/plain-service.ts";
import { jsonResponse } from "../../src/http/response.ts";
import { splitTarget } from "../../src/http/target.ts";

export interface Mirror {
  readonly service: HttpService;
  /** From now on the mirror serves a forged manifest; returns the version that it announces. */
  takeOver(): Promise<string>;
  giveBack(): void;
}

const MANIFEST_PATH = RELEASE_ROUTES.getSignedManifest.path;
const FORGED = { version: "9.9.9", buildNumber: 999_999 };
const NOT_CACHED = { "Access-Control-Allow-Origin": "*", "Cache-Control": "no-store" };
/** Of the upstream's response, what describes it and not the connection. */
const COPIED_HEADERS = [
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "cache-control",
  "content-type",
  "etag",
];

export function createMirror(upstream: string): Mirror {
  let forged: string | null = null;
  return {
    service: createPlainService({
      headers: () => ({}),
      async handle(request) {
        const { method, target } = request;
        const { path, search } = splitTarget(target);
        if (forged !== null && method === "GET" && path === MANIFEST_PATH) {
          return jsonResponse(200, forged, NOT_CACHED);
        }
        const known = request.header("if-none-match");
        const response = await fetch(`${upstream}${path}${search === "" ? "" : `?${search}`}`, {
          method,
          redirect: "manual",
          headers: known === null ? {} : { "If-None-Match": known },
        });
        const copied = COPIED_HEADERS.flatMap((name) => {
          const value = response.headers.get(name);
          return value === null ? [] : [[name, value] as const];
        });
        const bytes = new Uint8Array(await response.arrayBuffer());
        // A response such as 304 has none.
        const body = bytes.length > 0 ? bytes : null;
        return { status: response.status, headers: Object.fromEntries(copied), body };
      },
      errorResponse: () => jsonResponse(502, '{"error":"bad_gateway"}\n'),
    }),
    async takeOver() {
      const response = await fetch(`${upstream}${MANIFEST_PATH}`);
      forged = JSON.stringify(forge((await response.json()) as SignedManifestEnvelope));
      return FORGED.version;
    },
    giveBack() {
      forged = null;
    },
  };
}

/** The maker's manifest with one release more, under the name of the maker's key but signed with another one. */
function forge({ payload: genuine, ...envelope }: SignedManifestEnvelope): SignedManifestEnvelope {
  const manifest = JSON.parse(Buffer.from(genuine, "base64url").toString()) as ManifestPayload;
  const { releases, sequence } = manifest;
  const malware: Release = { ...(releases[0] as Release), ...FORGED };
  const forgedManifest = { ...manifest, sequence: sequence + 1, releases: [malware, ...releases] };
  const payload = Buffer.from(JSON.stringify(forgedManifest));
  const signature = sign(null, payload, generateKeyPairSync("ed25519").privateKey);
  return {
    ...envelope,
    payload: payload.toString("base64url"),
    signature: signature.toString("base64url"),
  };
}
