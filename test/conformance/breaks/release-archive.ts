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
} from "./break.ts";
import { editPayload, isManifest } from "./release-manifest.ts";

const ARCHIVE = /^\/feeds\/archive\//;

export const BREAKS_OF_THE_ARCHIVE: readonly ReleaseBreak[] = [
  {
    name: "signs a manifest that a phone does not like to download",
    caughtBy: ["manifest-is-small"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, ({ withdrawn }) => {
        const [entry] = withdrawn;
        if (entry !== undefined) entry.reason = "x".repeat(1_048_576);
      }),
    ),
  },
  {
    name: "archives the release that everyone is offered",
    caughtBy: ["manifest-has-what-copies-can-act-on"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        const staged = payload.rollouts?.map(({ version }) => version) ?? [];
        payload.releases = payload.releases.filter(
          ({ channel, version }) => channel === "beta" || staged.includes(version),
        );
      }),
    ),
  },
  {
    name: "keeps nothing for those who look for the archive",
    caughtBy: ["archive-has-the-signed-digest", "archive-is-canonical"],
    respond: changeResponse(isPath(ARCHIVE), (response) => withCode(response, 404, "not_found")),
  },
  {
    name: "has another archive than was signed",
    caughtBy: ["archive-has-the-signed-digest"],
    respond: changeResponse(isOk(ARCHIVE), (response) =>
      editText(response, (text) => text.replace("Smaller fixes", "Larger fixes")),
    ),
  },
  {
    name: "signs another length of the archive",
    caughtBy: ["archive-has-the-signed-digest"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, ({ archive }) => {
        if (archive !== undefined) archive.size += 1;
      }),
    ),
  },
  {
    name: "signs another number of archived releases",
    caughtBy: ["archive-has-the-signed-digest"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, ({ archive }) => {
        if (archive !== undefined) archive.releases += 1;
      }),
    ),
  },
  {
    name: "lets caches forget the archive after minutes",
    caughtBy: ["archive-has-the-signed-digest"],
    respond: changeResponse(isOk(ARCHIVE), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=60, s-maxage=300"),
    ),
  },
  {
    name: "writes the archive for people",
    caughtBy: ["archive-is-canonical", "archive-has-the-signed-digest"],
    respond: changeResponse(isOk(ARCHIVE), (response) =>
      editText(response, (text) => JSON.stringify(JSON.parse(text), null, 2)),
    ),
  },
  {
    name: "archives the oldest release first",
    caughtBy: ["archive-is-canonical"],
    respond: changeResponse(isOk(ARCHIVE), (response) =>
      editText(response, (text) => {
        const archive = JSON.parse(text) as { releases: unknown[] };
        return JSON.stringify({ ...archive, releases: archive.releases.toReversed() });
      }),
    ),
  },
  {
    name: "archives releases in another form than it serves them",
    caughtBy: ["archive-has-the-served-releases"],
    respond: changeResponse(isOk(ARCHIVE), (response) =>
      editText(response, (text) => text.replaceAll("Smaller fixes", "Larger fixes")),
    ),
  },
  {
    name: "archives no digests of files",
    caughtBy: ["archive-has-the-served-releases"],
    respond: changeResponse(isOk(ARCHIVE), (response) =>
      editText(response, (text) => JSON.stringify({ ...JSON.parse(text), files: [] })),
    ),
  },
  {
    name: "forgets its archive, so that old releases are in no signed list",
    caughtBy: ["manifest-lists-exactly-what-is-published"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, (payload) => {
        delete payload.archive;
      }),
    ),
  },
  {
    name: "takes every name for that of an archive",
    caughtBy: ["unknown-archive-is-not-found"],
    respond: async (request, { real }) => {
      const response = await real(request);
      if (!isPath(ARCHIVE)(response, request) || response.status === 200) return response;
      return withStatus(await real(withTarget(request, "/health")), 200);
    },
  },
];

function editText(response: HttpResponse, edit: (text: string) => string): HttpResponse {
  const body = joinBody(response.body);
  if (body === null || body instanceof ReadableStream) return response;
  return withBody(response, edit(Buffer.from(body).toString("utf8")));
}
