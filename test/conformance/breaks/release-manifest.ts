import { generateKeyPairSync, sign } from "node:crypto";
import type {
  ManifestPayload,
  Release,
  SignedManifestEnvelope,
  UpdateDecision,
} from "../../../src/contract/release/schemas.ts";
import type { HttpResponse } from "../../../src/http/response.ts";
import {
  changeResponse,
  editBody,
  isOk,
  isPath,
  withCode,
  withHeader,
  type ReleaseBreak,
} from "./break.ts";

export const isManifest = isOk(/^\/api\/v1\/manifest$/);
const strangeKey = generateKeyPairSync("ed25519").privateKey;
const DAY = 86_400_000;
let asked = 0;

export const BREAKS_OF_THE_MANIFEST: readonly ReleaseBreak[] = [
  {
    name: "writes the payload anew after it was signed",
    caughtBy: ["manifest-signature-holds"],
    respond: changeResponse(isManifest, (response) =>
      editBody<SignedManifestEnvelope>(response, (envelope) => {
        const payload: unknown = JSON.parse(decode(envelope.payload));
        envelope.payload = encode(JSON.stringify(payload, null, 2));
      }),
    ),
  },
  {
    name: "changes a field after it was signed",
    caughtBy: ["manifest-signature-holds"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        payload.sequence += 1;
      }),
    ),
  },
  {
    name: "signs with another key than the one it names",
    caughtBy: ["manifest-signature-holds"],
    respond: changeResponse(isManifest, (response) =>
      editBody<SignedManifestEnvelope>(response, (envelope) => {
        const bytes = Buffer.from(envelope.payload, "base64url");
        envelope.signature = sign(null, bytes, strangeKey).toString("base64url");
      }),
    ),
  },
  {
    name: "signs the encoded text instead of the decoded bytes",
    caughtBy: ["manifest-signature-holds"],
    respond: async (request, { real, privateKey }) => {
      const response = await real(request);
      if (!isManifest(response, request)) return response;
      return editBody<SignedManifestEnvelope>(response, (envelope) => {
        const text = Buffer.from(envelope.payload, "latin1");
        envelope.signature = sign(null, text, privateKey).toString("base64url");
      });
    },
  },
  {
    name: "pads the payload",
    caughtBy: ["manifest-envelope-is-complete"],
    respond: changeResponse(isManifest, (response) =>
      editBody<SignedManifestEnvelope>(response, (envelope) => {
        envelope.payload += "=";
      }),
    ),
  },
  {
    name: "cuts the signature",
    caughtBy: ["manifest-envelope-is-complete"],
    respond: changeResponse(isManifest, (response) =>
      editBody<SignedManifestEnvelope>(response, (envelope) => {
        envelope.signature = envelope.signature.slice(0, 43);
      }),
    ),
  },
  {
    name: "adds a field to the envelope",
    caughtBy: ["manifest-envelope-is-complete"],
    respond: changeResponse(isManifest, (response) =>
      editBody<SignedManifestEnvelope>(response, (envelope) => ({
        ...envelope,
        issuedAt: "2026-01-01T00:00:00Z",
      })),
    ),
  },
  {
    name: "serves an expired manifest",
    caughtBy: ["manifest-is-in-force"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        payload.issuedAt = "2025-01-01T00:00:00Z";
        payload.expiresAt = "2025-01-31T00:00:00Z";
      }),
    ),
  },
  {
    name: "serves older and newer manifests in turn",
    caughtBy: ["manifest-is-in-force"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        asked += 1;
        payload.sequence = 10_000 - asked;
      }),
    ),
  },
  {
    name: "serves a manifest that lives for years",
    caughtBy: ["manifest-lifetime-is-bounded"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        payload.expiresAt = new Date(Date.parse(payload.issuedAt) + 401 * DAY).toISOString();
      }),
    ),
  },
  {
    name: "gives two manifests the same sequence",
    caughtBy: ["manifest-sequence-names-one-payload"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        asked += 1;
        payload.withdrawn = payload.withdrawn.map((entry) => ({ ...entry, reason: `${asked}` }));
      }),
    ),
  },
  {
    name: "jumps to the end of the sequence",
    caughtBy: ["manifest-sequence-grows-within-bounds"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        asked += 1;
        payload.sequence = asked * 1_000_001;
      }),
    ),
  },
  {
    name: "signs with a key that it revokes",
    caughtBy: ["manifest-is-not-signed-by-a-revoked-key"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, (payload, { keyId }) => {
        payload.revokedKeys = [keyId];
      }),
    ),
  },
  {
    name: "leaves the newest release out of the manifest",
    caughtBy: ["manifest-lists-exactly-what-is-published"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        payload.releases.shift();
      }),
    ),
  },
  {
    name: "serves a release in another form than the manifest has",
    caughtBy: ["manifest-lists-exactly-what-is-published"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        payload.releases[0]?.artifacts.shift();
      }),
    ),
  },
  {
    name: "puts a draft into the manifest",
    caughtBy: ["drafts-are-never-exposed", "manifest-lists-exactly-what-is-published"],
    respond: async (request, { real, fixtures }) => {
      const response = await real(request);
      if (!isManifest(response, request)) return response;
      return editPayload(response, ({ releases }) => {
        const [newest] = releases;
        const version = fixtures.drafts?.[0];
        if (newest === undefined || version === undefined) return;
        releases.unshift({ ...newest, version, buildNumber: newest.buildNumber + 1 });
      });
    },
  },
  {
    name: "does not say what was withdrawn",
    caughtBy: ["manifest-names-withdrawn-releases"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        payload.withdrawn = [];
      }),
    ),
  },
  {
    name: "rolls out a release that is not published",
    caughtBy: ["manifest-rollouts-name-published-releases"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        payload.rollouts = [{ version: payload.withdrawn[0]?.version ?? "0.0.1", percent: 25 }];
      }),
    ),
  },
  {
    name: "gives a release two rollouts",
    caughtBy: ["manifest-rollouts-name-published-releases"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        const [rollout] = payload.rollouts ?? [];
        if (rollout !== undefined) payload.rollouts?.push({ ...rollout, percent: 50 });
      }),
    ),
  },
  {
    name: "lists a rollout of 100 percent",
    caughtBy: ["manifest-rollouts-name-published-releases"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        for (const rollout of payload.rollouts ?? []) rollout.percent = 100;
      }),
    ),
  },
  {
    name: "hides a staged release from those who ask for the latest",
    caughtBy: ["staged-releases-are-served-to-everyone"],
    respond: changeResponse(isOk(/^\/api\/v1\/releases\/latest$/), (response) =>
      editBody<Release>(response, (release) => {
        release.version = "1.0.1";
      }),
    ),
  },
  {
    name: "decides by the share of a staged release",
    caughtBy: ["staged-releases-are-served-to-everyone"],
    respond: changeResponse(isOk(/^\/api\/v1\/update\//), (response) =>
      editBody<UpdateDecision>(response, (decision) => {
        decision.target = { version: "1.0.1", buildNumber: 1 };
      }),
    ),
  },
  {
    name: "downloads what is out for everybody instead of the staged release",
    caughtBy: ["staged-releases-are-served-to-everyone"],
    respond: changeResponse(isPath(/^\/api\/v1\/download\//), (response) =>
      withHeader(response, "Location", "https://downloads.example.com/1.0.1"),
    ),
  },
  {
    name: "lets caches keep the 503",
    caughtBy: ["missing-manifest-is-unavailable"],
    respond: changeResponse(
      ({ status }) => status === 503,
      (response) => withHeader(response, "Cache-Control", "public, max-age=60, s-maxage=300"),
    ),
  },
  {
    name: "sends 404 when it has no manifest",
    caughtBy: ["missing-manifest-is-unavailable"],
    respond: changeResponse(
      (response, request) => isPath(/manifest$/)(response, request) && response.status === 503,
      (response) => withCode(response, 404, "not_found"),
    ),
  },
];

export function editPayload(
  response: HttpResponse,
  edit: (payload: ManifestPayload, envelope: SignedManifestEnvelope) => void,
): HttpResponse {
  return editBody<SignedManifestEnvelope>(response, (envelope) => {
    const payload = JSON.parse(decode(envelope.payload)) as ManifestPayload;
    edit(payload, envelope);
    envelope.payload = encode(JSON.stringify(payload));
  });
}

function decode(text: string): string {
  return Buffer.from(text, "base64url").toString("utf8");
}

function encode(text: string): string {
  return Buffer.from(text, "utf8").toString("base64url");
}
