import { CACHE } from "../../../src/contract/release/routes.ts";
import {
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectNoBody,
  expectStatus,
  fail,
} from "../../expect.ts";
import { STRONG_ETAG } from "../expectations.ts";
import { updatePath, validatedPaths } from "../requests.ts";
import { releaseCases } from "../server-under-test.ts";

export const CACHING_CASES = releaseCases({
  "current-answers-are-kept-for-minutes": {
    title: "What changes with a publication may be kept a minute, five in shared caches",
    section: "release contract, Cache-Control on successful responses: first class",
    async run(server) {
      const channel = await server.someChannel();
      const paths = [
        "/api/v1/releases",
        `/api/v1/releases/latest?channel=${channel}`,
        updatePath({ version: "0.0.1", build: 1, channel }),
        "/api/v1/manifest",
      ];
      await expectEach(paths, async (path) => {
        const response = await server.api.get(path);
        if (response.status === 503) return;
        expectStatus(response, 200);
        expectHeader(response, "Cache-Control", CACHE.current);
      });
    },
  },
  "published-releases-are-immutable": {
    title: "A concrete release and its downloads may be kept for good",
    section: "release contract, Cache-Control on successful responses: second class",
    async run(server) {
      const releases = await server.latestOfEach();
      const paths = releases.flatMap(({ version }) => [
        `/api/v1/releases/${version}`,
        `/api/v1/releases/${version}/downloads`,
      ]);
      await expectEach(paths, async (path) => {
        const response = await server.api.get(path);
        expectStatus(response, 200);
        expectHeader(response, "Cache-Control", CACHE.immutable);
      });
    },
  },
  "etags-are-strong-and-stable": {
    title: "The same bytes have the same strong ETag, other bytes another one",
    section: "release contract, GET /api/v1/manifest: ETag; Trellis decision: ETag",
    async run(server) {
      const pathsByEtag = new Map<string, { path: string; body: Uint8Array }>();
      await expectEach(await validatedPaths(server), async (path) => {
        const first = await server.api.get(path);
        const etag = expectHeaderMatch(first, "ETag", STRONG_ETAG, "one strong validator");
        const second = await server.api.get(path);
        expectHeader(second, "ETag", etag);
        if (Buffer.compare(first.body, second.body) !== 0) {
          fail(second, `the bytes of ${etag} again`, "other bytes");
        }
        const other = pathsByEtag.get(etag);
        if (other !== undefined && Buffer.compare(other.body, first.body) !== 0) {
          fail(first, `another ETag than ${other.path}, whose bytes differ`, etag);
        }
        pathsByEtag.set(etag, { path, body: first.body });
      });
    },
  },
  "if-none-match-answers-304": {
    title:
      "A validator that still matches is answered 304 with ETag and Cache-Control, without body",
    section:
      "release contract, GET /api/v1/manifest: 304; Trellis decision: If-None-Match (RFC 9110)",
    async run(server) {
      await expectEach(await validatedPaths(server), async (path) => {
        const fresh = await server.api.get(path);
        const etag = expectHeaderMatch(fresh, "ETag", /./, "a validator");
        const fields = [etag, `"other", ${etag}`, `"other",${etag} , W/"third"`, `W/${etag}`, "*"];
        await expectEach(fields, async (field) => {
          const response = await server.api.get(path, { "If-None-Match": field });
          expectStatus(response, 304);
          expectNoBody(response);
          expectHeader(response, "ETag", etag);
          expectHeader(response, "Cache-Control", fresh.header("Cache-Control"));
        });
        const head = await server.api.send("HEAD", path, { "If-None-Match": etag });
        expectStatus(head, 304);
      });
    },
  },
  "another-validator-answers-200": {
    title: "A validator that does not match, or is none, is answered 200 with the body",
    section: "release contract, GET /api/v1/manifest: If-None-Match; Trellis decision: RFC 9110",
    async run(server) {
      await expectEach(await validatedPaths(server), async (path) => {
        const fresh = await server.api.get(path);
        const etag = expectHeaderMatch(fresh, "ETag", /./, "a validator");
        const inside = etag.slice(1, -1);
        const fields = ['"other"', '"one", W/"two"', inside, `"${inside}x"`, `"x${inside}"`, '""'];
        await expectEach(fields, async (field) => {
          const response = await server.api.get(path, { "If-None-Match": field });
          expectStatus(response, 200);
          if (response.body.length === 0) fail(response, "a body", "none");
        });
      });
    },
  },
});
