import { joinBody, type HttpResponse } from "../../../src/http/response.ts";
import {
  changeResponse,
  isOk,
  isPath,
  withBody,
  withCode,
  withHeader,
  withStatus,
  withTarget,
  type ReleaseBreak,
  toBreaks,
} from "./break.ts";
import { editPayload, isManifest } from "./release-manifest.ts";

const ARCHIVE = /^\/feeds\/archive\//;

export const BREAKS_OF_THE_ARCHIVE = toBreaks<ReleaseBreak>({
  "manifest-is-small": {
    "signs a manifest that a phone does not like to download": changeResponse(
      isManifest,
      (response) =>
        editPayload(response, ({ withdrawn }) => {
          const [entry] = withdrawn;
          if (entry !== undefined) entry.reason = "x".repeat(1_048_576);
        }),
    ),
  },
  "manifest-has-what-copies-can-act-on": {
    "archives the release that everyone is offered": changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        const staged = payload.rollouts?.map(({ version }) => version) ?? [];
        payload.releases = payload.releases.filter(
          ({ channel, version }) => channel === "beta" || staged.includes(version),
        );
      }),
    ),
  },
  "archive-has-the-signed-digest, archive-is-canonical": {
    "keeps nothing for those who look for the archive": changeResponse(
      isPath(ARCHIVE),
      (response) => withCode(response, 404, "not_found"),
    ),
  },
  "archive-has-the-signed-digest": {
    "has another archive than was signed": changeResponse(isOk(ARCHIVE), (response) =>
      editText(response, (text) => text.replace("Smaller fixes", "Larger fixes")),
    ),
    "signs another length of the archive": changeResponse(isManifest, (response) =>
      editPayload(response, ({ archive }) => {
        if (archive !== undefined) archive.size += 1;
      }),
    ),
    "signs another number of archived releases": changeResponse(isManifest, (response) =>
      editPayload(response, ({ archive }) => {
        if (archive !== undefined) archive.releases += 1;
      }),
    ),
    "lets caches forget the archive after minutes": changeResponse(isOk(ARCHIVE), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=60, s-maxage=300"),
    ),
  },
  "archive-is-canonical, archive-has-the-signed-digest": {
    "writes the archive for people": changeResponse(isOk(ARCHIVE), (response) =>
      editText(response, (text) => JSON.stringify(JSON.parse(text), null, 2)),
    ),
  },
  "archive-is-canonical": {
    "archives the oldest release first": changeResponse(isOk(ARCHIVE), (response) =>
      editText(response, (text) => {
        const archive = JSON.parse(text) as { releases: unknown[] };
        return JSON.stringify({ ...archive, releases: archive.releases.toReversed() });
      }),
    ),
  },
  "archive-has-the-served-releases": {
    "archives releases in another form than it serves them": changeResponse(
      isOk(ARCHIVE),
      (response) => editText(response, (text) => text.replaceAll("Smaller fixes", "Larger fixes")),
    ),
    "archives no digests of files": changeResponse(isOk(ARCHIVE), (response) =>
      editText(response, (text) => JSON.stringify({ ...JSON.parse(text), files: [] })),
    ),
  },
  "manifest-lists-exactly-what-is-published": {
    "forgets its archive, so that old releases are in no signed list": changeResponse(
      isManifest,
      (response) =>
        editPayload(response, (payload) => {
          delete payload.archive;
        }),
    ),
  },
  "unknown-archive-is-not-found": {
    "takes every name for that of an archive": async (request, { real }) => {
      const response = await real(request);
      if (!isPath(ARCHIVE)(response, request) || response.status === 200) return response;
      return withStatus(await real(withTarget(request, "/health")), 200);
    },
  },
});

function editText(response: HttpResponse, edit: (text: string) => string): HttpResponse {
  const body = joinBody(response.body);
  if (body === null || body instanceof ReadableStream) return response;
  return withBody(response, edit(Buffer.from(body).toString("utf8")));
}
