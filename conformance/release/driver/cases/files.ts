/** What comes in the place of a signed file, and the service's unsigned decision. */
import type { ServerResponse } from "node:http";
import { drip } from "../../../drivers/drip.ts";
import { jsonReply, type Reply } from "../../../drivers/loopback-service.ts";
import { driverCases } from "../../../drivers/check-driver.ts";
import type { ClientUnderTest } from "../../../drivers/client-under-test.ts";
import {
  ACTIVE,
  expectFileRefused,
  expectOffered,
  expectNothingConfirmed,
  expectKind,
  install,
  sendFile,
} from "../installation.ts";
import { contentOf, createPayload, CURRENT, CURRENT_RELEASE, NEXT_RELEASE } from "../releases.ts";

const DIGEST = "release contract, Integrity rules for clients 3";
const DECISION = "release contract, Integrity rules for clients 4";

const FILE_NAME = NEXT_RELEASE.artifacts[0]?.fileName ?? "";
const BYTES = contentOf(FILE_NAME);

export const FILE_CASES = driverCases({
  "slow-service-is-waited-for": {
    title: "A manifest and a file that arrive in many small pieces are taken",
    section: DIGEST,
    async run(client) {
      const manifest = JSON.stringify(ACTIVE.seal(createPayload()));
      const slowly = (body: string | Uint8Array) => (response: ServerResponse) => {
        void drip(response, body, { pieces: 25, pauseMs: 20 });
      };
      const update = await install(client).update("a check of a slow service", {
        manifest: slowly(manifest),
        files: { [FILE_NAME]: slowly(BYTES) },
      });
      expectOffered(update, NEXT_RELEASE);
    },
  },
  ...fileRefusals({
    "changed-file-is-refused": {
      title: "A file of the right size in which one byte differs",
      reply: () => {
        const bytes = Buffer.from(BYTES);
        bytes.writeUInt8(bytes.readUInt8(100_000) ^ 1, 100_000);
        return sendFile(bytes);
      },
    },
    "older-file-is-refused": {
      title: "The genuine file of an older release",
      reply: () => sendFile(contentOf(CURRENT_RELEASE.artifacts[0]?.fileName ?? "")),
    },
    "cut-file-is-refused": {
      title: "A file that ends early",
      reply: () => sendFile(BYTES.subarray(0, 150_000)),
    },
    "interrupted-file-is-refused": {
      title: "A file whose connection ends in the middle, at every try",
      reply: () => (response) => {
        response.writeHead(200, { "Content-Length": String(BYTES.length) });
        response.write(BYTES.subarray(0, 50_000), () => response.destroy());
      },
    },
    "extended-file-is-refused": {
      title: "A file with more behind its end",
      reply: () => sendFile(Buffer.concat([BYTES, Buffer.from("more")])),
    },
    "empty-file-is-refused": { title: "An empty file", reply: () => sendFile(Buffer.alloc(0)) },
    "page-is-no-file": {
      title: "A page with status 200, such as the sign-in of a network",
      reply: () => ({
        status: 200,
        headers: { "Content-Type": "text/html; charset=utf-8" },
        body: "<!doctype html><title>Welcome to this network</title>",
      }),
    },
    "file-with-an-error-status-is-refused": {
      title: "A response with status 500",
      reply: () => ({ status: 500, body: "" }),
    },
  }),
  "decision-alone-offers-nothing": {
    title: "An update that only the unsigned decision names is not offered",
    section: DECISION,
    async run(client) {
      const manifest = ACTIVE.seal(createPayload({ releases: [CURRENT_RELEASE] }));
      const asked = "a check, where the decision names an update and the manifest none";
      expectKind(await install(client).update(asked, { manifest }), "up-to-date");
    },
  },
  "decision-without-a-manifest-confirms-nothing": {
    title: "Without a manifest the unsigned decision counts for nothing",
    section: DECISION,
    async run(client) {
      const manifest = jsonReply({ error: { code: "manifest_unavailable" } }, 503);
      const asked = "a check, where there is a decision and no manifest";
      expectNothingConfirmed(await install(client).update(asked, { manifest }));
    },
  },
  "decision-hides-no-update": {
    title: "An update that the manifest names is offered although the unsigned decision denies it",
    section: DECISION,
    async run(client) {
      const asked = "a check, where the manifest names an update and the decision none";
      const update = await install(client).update(asked, {
        manifest: ACTIVE.seal(createPayload()),
        decision: {
          platform: "linux",
          updateAvailable: false,
          mandatory: false,
          current: CURRENT,
          target: CURRENT,
          minimumSupportedVersion: CURRENT.version,
          download: "/api/v1/download/linux",
        },
      });
      expectOffered(update, NEXT_RELEASE);
    },
  },
});

interface FileRefusal {
  /** What comes in the place of the file. */
  readonly title: string;
  reply(): Reply;
}

function fileRefusals(refusalsById: Readonly<Record<string, FileRefusal>>) {
  const cases = Object.entries(refusalsById).map(([id, { title, reply }]) => {
    const item = {
      title: `${title} is not accepted`,
      section: DIGEST,
      async run(client: ClientUnderTest) {
        const update = await install(client).update(
          `a download: ${title.replace(/^[AT]/, lower)}`,
          {
            manifest: ACTIVE.seal(createPayload()),
            files: { [FILE_NAME]: reply() },
          },
        );
        expectFileRefused(update);
      },
    };
    return [id, item] as const;
  });
  return Object.fromEntries(cases);
}

const lower = (letter: string) => letter.toLowerCase();
