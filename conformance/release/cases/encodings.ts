import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { skipUnless } from "../../case.ts";
import {
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectNoBody,
  expectStatus,
  fail,
} from "../../expect.ts";
import type { ReceivedResponse, SentHeaders } from "../../http.ts";
import { expectManifestPayload, STRONG_ETAG } from "../expectations.ts";
import { archivePath, validatedPaths } from "../requests.ts";
import { releaseCases, type ReleaseServerUnderTest } from "../server-under-test.ts";

const MIN_COMPRESSED_BYTES = 1024;
const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync } as const;
const ENCODINGS = ["br", "gzip"] as const;

const SECTION = "Trellis decision, release service: compression (RFC 9110 12.5.3 and 8.8.3.3)";

export const ENCODING_CASES = releaseCases({
  "long-bodies-are-compressed": {
    title: "A body of 1 KiB and more is compressed for clients that accept gzip or brotli",
    section: SECTION,
    async run(server) {
      await expectEach(await longResponses(server), async (long) => {
        expectVaries(long.plain);
        await expectEach(ENCODINGS, async (encoding) => {
          const response = await ask(server, long, encoding);
          expectHeader(response, "Content-Encoding", encoding);
          expectVaries(response);
          const decoded = decode(response, encoding);
          if (Buffer.compare(decoded, long.plain.body) === 0) return;
          fail(response, "the content of the response without an encoding", "another content");
        });
      });
    },
  },
  "accept-encoding-weights-decide": {
    title: "A response has the encoding that the client weighs most, and never one that it refuses",
    section: SECTION,
    async run(server) {
      const expected = [
        [undefined, undefined],
        ["", undefined],
        ["identity", undefined],
        ["deflate", undefined],
        ["gzip;q=0", undefined],
        ["gzip;q=0, br;q=0.000", undefined],
        ["*;q=0", undefined],
        ["gzip;q=0.5, br;q=0.4, identity;q=0.6", undefined],
        ["GZIP", "gzip"],
        ["br;q=0, gzip;q=0.001", "gzip"],
        ["br;q=0, *", "gzip"],
        ["gzip;q=0.9, br;q=0.8", "gzip"],
        ["gzip, *;q=0", "gzip"],
        ["gzip;q=0.8, br;q=0.9", "br"],
        ["identity;q=0, br", "br"],
      ] as const;
      await expectEach(await longResponses(server), (long) =>
        expectEach(expected, async ([field, encoding]) => {
          const response = await ask(server, long, field);
          expectStatus(response, 200);
          const found = response.header("Content-Encoding");
          if (found === encoding) return;
          const wanted = `${encoding ?? "no"} encoding for Accept-Encoding: ${field ?? "(none)"}`;
          fail(response, wanted, found ?? "none");
        }),
      );
    },
  },
  "each-encoding-has-its-own-etag": {
    title: "Responses of one path that differ in their encoding have different strong ETags",
    section: SECTION,
    async run(server) {
      await expectEach(await longResponses(server), async (long) => {
        const bytesByTag = new Map<string, Uint8Array>();
        for (const encoding of [undefined, ...ENCODINGS]) {
          const response = await ask(server, long, encoding);
          const etag = expectHeaderMatch(response, "ETag", STRONG_ETAG, "one strong validator");
          const other = bytesByTag.get(etag);
          if (other !== undefined && Buffer.compare(other, response.body) !== 0) {
            fail(response, "another ETag than that of other bytes", etag);
          }
          bytesByTag.set(etag, response.body);
          expectHeader(await ask(server, long, encoding), "ETag", etag);
        }
      });
    },
  },
  "if-none-match-knows-every-encoding": {
    title: "The validator of any encoding is answered 304, whatever the client accepts now",
    section: SECTION,
    async run(server) {
      const fields = [undefined, ...ENCODINGS] as const;
      await expectEach(await longResponses(server), async (long) => {
        const forms = await Promise.all(fields.map((field) => ask(server, long, field)));
        const tags = forms.map((form) => expectHeaderMatch(form, "ETag", /./, "a validator"));
        await expectEach(tags, (tag) =>
          expectEach(fields, async (field) => {
            const response = await ask(server, long, field, { "If-None-Match": `"other", ${tag}` });
            expectStatus(response, 304);
            expectNoBody(response);
            expectVaries(response);
            const found = response.header("ETag") ?? "none";
            if (!tags.includes(found)) fail(response, `an ETag of ${tags.join(", ")}`, found);
          }),
        );
      });
    },
  },
  "head-has-the-encoding-of-get": {
    title: "HEAD has the headers that GET has for the same Accept-Encoding, and no body",
    section: SECTION,
    async run(server) {
      await expectEach(await longResponses(server), (long) =>
        expectEach(ENCODINGS, async (encoding) => {
          const get = await ask(server, long, encoding);
          const head = await server.api.send("HEAD", long.path, {
            "Accept-Encoding": encoding,
          });
          expectStatus(head, 200);
          expectNoBody(head);
          for (const name of ["ETag", "Content-Encoding", "Vary", "Content-Type"]) {
            expectHeader(head, name, get.header(name));
          }
        }),
      );
    },
  },
});

interface LongResponse {
  readonly path: string;
  readonly plain: ReceivedResponse;
}

/** What is long enough to be compressed, as it is without an encoding. */
async function longResponses(server: ReleaseServerUnderTest): Promise<LongResponse[]> {
  const paths = await validatedPaths(server);
  const manifest = await server.api.get("/api/v1/manifest");
  const { archive } = manifest.status === 200 ? expectManifestPayload(manifest) : {};
  if (archive !== undefined) paths.push(archivePath(archive.sha256));
  const responses = await Promise.all(
    paths.map(async (path) => ({
      path,
      plain: await server.api.get(path),
    })),
  );
  const long = responses.filter(({ plain }) => plain.body.length >= MIN_COMPRESSED_BYTES);
  skipUnless(long.length > 0, "No response of the server has 1 KiB");
  return long;
}

function ask(
  server: ReleaseServerUnderTest,
  { path }: LongResponse,
  acceptEncoding: string | undefined,
  headers: SentHeaders = {},
): Promise<ReceivedResponse> {
  const accepted = acceptEncoding === undefined ? {} : { "Accept-Encoding": acceptEncoding };
  return server.api.get(path, { ...accepted, ...headers });
}

function expectVaries(response: ReceivedResponse): void {
  const pattern = /^(?:.*,)?\s*(?:accept-encoding|\*)\s*(?:,|$)/i;
  expectHeaderMatch(response, "Vary", pattern, "Accept-Encoding");
}

function decode(response: ReceivedResponse, encoding: keyof typeof DECODERS): Uint8Array {
  try {
    return DECODERS[encoding](response.body);
  } catch {
    return fail(response, `a body that ${encoding} decodes`, "one that it does not");
  }
}
