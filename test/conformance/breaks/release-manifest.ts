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
  toBreaks,
} from "./break.ts";

export const isManifest = isOk(/^\/api\/v1\/manifest$/);
const strangeKey = generateKeyPairSync("ed25519").privateKey;
const DAY = 86_400_000;
let asked = 0;

export const BREAKS_OF_THE_MANIFEST = toBreaks<ReleaseBreak>({
  "manifest-signature-holds": {
    "writes the payload anew after it was signed": changeResponse(isManifest, (response) =>
      editBody<SignedManifestEnvelope>(response, (envelope) => {
        const payload: unknown = JSON.parse(decode(envelope.payload));
        envelope.payload = encode(JSON.stringify(payload, null, 2));
      }),
    ),
    "changes a field after it was signed": changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        payload.sequence += 1;
      }),
    ),
    "signs with another key than the one it names": changeResponse(isManifest, (response) =>
      editBody<SignedManifestEnvelope>(response, (envelope) => {
        const bytes = Buffer.from(envelope.payload, "base64url");
        envelope.signature = sign(null, bytes, strangeKey).toString("base64url");
      }),
    ),
    "signs the encoded text instead of the decoded bytes": async (
      request,
      { real, privateKey },
    ) => {
      const response = await real(request);
      if (!isManifest(response, request)) return response;
      return editBody<SignedManifestEnvelope>(response, (envelope) => {
        const text = Buffer.from(envelope.payload, "latin1");
        envelope.signature = sign(null, text, privateKey).toString("base64url");
      });
    },
  },
  "manifest-envelope-is-complete": {
    "pads the payload": changeResponse(isManifest, (response) =>
      editBody<SignedManifestEnvelope>(response, (envelope) => {
        envelope.payload += "=";
      }),
    ),
    "cuts the signature": changeResponse(isManifest, (response) =>
      editBody<SignedManifestEnvelope>(response, (envelope) => {
        envelope.signature = envelope.signature.slice(0, 43);
      }),
    ),
    "adds a field to the envelope": changeResponse(isManifest, (response) =>
      editBody<SignedManifestEnvelope>(response, (envelope) => ({
        ...envelope,
        issuedAt: "2026-01-01T00:00:00Z",
      })),
    ),
  },
  "manifest-is-in-force": {
    "serves an expired manifest": changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        payload.issuedAt = "2025-01-01T00:00:00Z";
        payload.expiresAt = "2025-01-31T00:00:00Z";
      }),
    ),
    "serves older and newer manifests in turn": changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        asked += 1;
        payload.sequence = 10_000 - asked;
      }),
    ),
  },
  "manifest-lifetime-is-bounded": {
    "serves a manifest that lives for years": changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        payload.expiresAt = new Date(Date.parse(payload.issuedAt) + 401 * DAY).toISOString();
      }),
    ),
  },
  "manifest-sequence-names-one-payload": {
    "gives two manifests the same sequence": changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        asked += 1;
        payload.withdrawn = payload.withdrawn.map((entry) => ({ ...entry, reason: `${asked}` }));
      }),
    ),
  },
  "manifest-sequence-grows-within-bounds": {
    "jumps to the end of the sequence": changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        asked += 1;
        payload.sequence = asked * 1_000_001;
      }),
    ),
  },
  "manifest-is-not-signed-by-a-revoked-key": {
    "signs with a key that it revokes": changeResponse(isManifest, (response) =>
      editPayload(response, (payload, { keyId }) => {
        payload.revokedKeys = [keyId];
      }),
    ),
  },
  "manifest-lists-exactly-what-is-published": {
    "leaves the newest release out of the manifest": changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        payload.releases.shift();
      }),
    ),
    "serves a release in another form than the manifest has": changeResponse(
      isManifest,
      (response) =>
        editPayload(response, (payload) => {
          payload.releases[0]?.artifacts.shift();
        }),
    ),
  },
  "drafts-are-never-exposed, manifest-lists-exactly-what-is-published": {
    "puts a draft into the manifest": async (request, { real, fixtures }) => {
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
  "manifest-names-withdrawn-releases": {
    "does not say what was withdrawn": changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        payload.withdrawn = [];
      }),
    ),
  },
  "manifest-rollouts-name-published-releases": {
    "rolls out a release that is not published": changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        payload.rollouts = [{ version: payload.withdrawn[0]?.version ?? "0.0.1", percent: 25 }];
      }),
    ),
    "gives a release two rollouts": changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        const [rollout] = payload.rollouts ?? [];
        if (rollout !== undefined) payload.rollouts?.push({ ...rollout, percent: 50 });
      }),
    ),
    "lists a rollout of 100 percent": changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        for (const rollout of payload.rollouts ?? []) rollout.percent = 100;
      }),
    ),
  },
  "staged-releases-are-served-to-everyone": {
    "hides a staged release from those who ask for the latest": changeResponse(
      isOk(/^\/api\/v1\/releases\/latest$/),
      (response) =>
        editBody<Release>(response, (release) => {
          release.version = "1.0.1";
        }),
    ),
    "decides by the share of a staged release": changeResponse(
      isOk(/^\/api\/v1\/update\//),
      (response) =>
        editBody<UpdateDecision>(response, (decision) => {
          decision.target = { version: "1.0.1", buildNumber: 1 };
        }),
    ),
    "downloads what is out for everybody instead of the staged release": changeResponse(
      isPath(/^\/api\/v1\/download\//),
      (response) => withHeader(response, "Location", "https://downloads.example.com/1.0.1"),
    ),
  },
  "missing-manifest-is-unavailable": {
    "lets caches keep the 503": changeResponse(
      ({ status }) => status === 503,
      (response) => withHeader(response, "Cache-Control", "public, max-age=60, s-maxage=300"),
    ),
    "sends 404 when it has no manifest": changeResponse(
      (response, request) => isPath(/manifest$/)(response, request) && response.status === 503,
      (response) => withCode(response, 404, "not_found"),
    ),
  },
});

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
