import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { CONTRACT_HASHES } from "../../test/fixtures/contract-hashes.ts";
import { EVENTS_CONTRACT } from "./events/routes.ts";
import { isObject } from "./is-object.ts";
import { contractToOpenApi } from "./openapi.ts";
import { FEED_ROUTES, RELEASE_API } from "./release/feed-routes.ts";
import { RELEASE_CONTRACT } from "./release/routes.ts";
import { SYNC_CONTRACT } from "./sync/routes.ts";

interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

interface Operation {
  readonly operationId: string;
  readonly servers?: unknown;
  readonly security?: unknown;
  readonly requestBody?: { readonly content: Record<string, unknown> };
  readonly parameters: { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Record<string, { readonly content?: unknown }>;
}

const SERVICES = {
  release: {
    contract: RELEASE_API,
    operations: [
      "checkForUpdate get /api/v1/update/{platform}",
      "downloadForArchitecture get /api/v1/download/{platform}/{architecture}",
      "downloadForDefaultArchitecture get /api/v1/download/{platform}",
      "getAppcast get /feeds/sparkle/{channel}/appcast.xml",
      "getElectronFeed get /feeds/electron/{file}",
      "getHealth get /health",
      "getLatestRelease get /api/v1/releases/latest",
      "getRelease get /api/v1/releases/{version}",
      "getReleaseArchive get /feeds/archive/{sha256}",
      "getReleaseDownloads get /api/v1/releases/{version}/downloads",
      "getReleaseFiles get /feeds/files/{version}",
      "getSignedManifest get /api/v1/manifest",
      "getSquirrelMacFeed get /feeds/squirrel/{channel}/darwin/{arch}/RELEASES.json",
      "getTauriBundleUpdate get /feeds/tauri/{channel}/{target}/{arch}/{bundle_type}/{current_version}",
      "getTauriFeed get /feeds/tauri/{file}",
      "getTauriUpdate get /feeds/tauri/{channel}/{target}/{arch}/{current_version}",
      "listReleases get /api/v1/releases",
      "redirectLegacyDownload get /download",
      "selectSmartDownload get /",
    ],
  },
  sync: {
    contract: SYNC_CONTRACT,
    operations: [
      "addKey post /v1/keys",
      "authorize post /v1/authorize",
      "getAuthorizePage get /v1/authorize",
      "getCapabilities get /v1/capabilities",
      "getChanges get /v1/changes",
      "getDevice get /v1/device",
      "getHealth get /v1/health",
      "getInstanceInfo get /v1/instance-info",
      "getKeys get /v1/keys",
      "getSnapshot get /v1/snapshot",
      "pull get /v1/pull",
      "push post /v1/push",
      "redeemCode post /v1/token",
      "refresh post /v1/refresh",
      "revoke post /v1/revoke",
      "revokeDevice delete /v1/device",
      "signInWithPasskey post /v1/passkey",
    ],
  },
  events: {
    contract: EVENTS_CONTRACT,
    operations: [
      "getAuthorizePage get /api/oauth/authorize",
      "getHealth get /health",
      "getServerMetadata get /.well-known/oauth-authorization-server",
      "listEvents get /api/events",
      "redeemCode post /api/oauth/token",
      "revokeToken post /api/oauth/revoke",
    ],
  },
} as const;

for (const [service, { contract, operations }] of Object.entries(SERVICES)) {
  const file = join(import.meta.dirname, `../../openapi/${service}.json`);
  const document = createDocument(contract);

  test(`${service}: the file is the document, and valid OpenAPI 3.1`, async () => {
    assert.deepEqual(JSON.parse(await readFile(file, "utf8")), document);
    assert.deepEqual(await new Validator().validate(file), { valid: true });
    assert.equal(document.openapi, "3.1.0");
  });

  test(`${service}: the protocol page is that of the version, and lists it`, async () => {
    const page = await readFile(
      join(import.meta.dirname, `../../docs/protocol/${service}.md`),
      "utf8",
    );
    const { version } = document.info;
    assert.ok(page.includes(`Contract version ${version}.`));
    assert.match(page, new RegExp(`^\\| ${version.replaceAll(".", "\\.")} `, "m"));
  });

  test(`${service}: every operation of the contract is at its path`, () => {
    const paths = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
    );
    assert.deepEqual(paths.sort(), operations);
  });

  test(`${service}: every parameter of a path is declared, and required`, () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      for (const { operationId, parameters } of Object.values(item)) {
        const declared = parameters.filter((parameter) => parameter.in === "path");
        assert.deepEqual(
          declared.map(({ name, required }) => [name, required]),
          names.map((name) => [name, true]),
          operationId,
        );
      }
    }
  });

  test(`${service}: every reference leads to a schema of the document`, () => {
    const references = [
      ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g),
    ];
    assert.ok(references.length > 10);
    for (const [, name = ""] of references) assert.ok(name in document.components.schemas, name);
  });
}

/** The feeds are no part of the release contract: other projects define their form. */
const WIRE_SHAPES = {
  release: { contract: RELEASE_CONTRACT, page: "release" },
  feeds: { contract: { ...RELEASE_API, routes: Object.values(FEED_ROUTES) }, page: "release" },
  sync: { contract: SYNC_CONTRACT, page: "sync" },
  events: { contract: EVENTS_CONTRACT, page: "events" },
} as const;

for (const [name, { contract, page }] of Object.entries(WIRE_SHAPES)) {
  test(`${name}: the wire shape has not moved without a note`, () => {
    const { components, ...rest } = createDocument(contract);
    const shape = JSON.stringify(rest, function toShape(key, value: unknown): unknown {
      // Wording may change freely; a member that is called `description` is an object and stays.
      if ((key === "description" || key === "summary") && typeof value === "string") return;
      // Schema names are not on the wire, so each reference counts as the schema it names.
      if (!isObject(value) || typeof value["$ref"] !== "string") return value;
      return components.schemas[value["$ref"].slice("#/components/schemas/".length)];
    });
    assert.equal(
      createHash("sha256").update(shape).digest("hex"),
      CONTRACT_HASHES[name as keyof typeof WIRE_SHAPES],
      `The wire shape of ${name} moved: note it in the version section of docs/protocol/${page}.md, then record the new hash in test/fixtures/contract-hashes.ts`,
    );
  });
}

test("only the selector of the release service is served by another origin than the API", () => {
  const elsewhere = operationsOf(RELEASE_CONTRACT).filter(({ servers }) => servers !== undefined);
  assert.deepEqual(
    elsewhere.map(({ operationId }) => operationId),
    ["selectSmartDownload"],
  );
});

test("a route that reads its request itself is documented like any other", () => {
  const operations = new Map(
    operationsOf(EVENTS_CONTRACT).map((operation) => [operation.operationId, operation]),
  );
  assert.deepEqual(operations.get("listEvents")?.security, [{ bearer: [] }]);
  assert.deepEqual(
    operations.get("listEvents")?.parameters.map(({ name, required }) => [name, required]),
    [
      ["limit", true],
      ["updated_since", false],
      ["include_deleted", false],
    ],
  );
  assert.deepEqual(Object.keys(operations.get("redeemCode")?.requestBody?.content ?? {}), [
    "application/x-www-form-urlencoded",
  ]);
});

function createDocument(contract: typeof EVENTS_CONTRACT): OpenApiDocument {
  return contractToOpenApi(contract) as unknown as OpenApiDocument;
}

function operationsOf(contract: typeof EVENTS_CONTRACT): Operation[] {
  return Object.values(createDocument(contract).paths).flatMap((item) => Object.values(item));
}
