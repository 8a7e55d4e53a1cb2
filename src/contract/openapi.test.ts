import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { findDrift } from "../../scripts/generate.ts";
import { RELEASE_CONTRACT_HASH } from "../../test/fixtures/release-contract-hash.ts";
import { contractToOpenApi } from "./openapi.ts";
import { RELEASE_CONTRACT } from "./release/routes.ts";

interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

interface Operation {
  readonly operationId: string;
  readonly servers?: unknown;
  readonly parameters: { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Record<string, { readonly content?: unknown }>;
}

const FILE = join(import.meta.dirname, "../../openapi/release.json");
const document = contractToOpenApi(RELEASE_CONTRACT) as unknown as OpenApiDocument;
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

test("what is generated and checked in is what its source gives", async () => {
  assert.deepEqual(await findDrift(), [], "run `npm run generate`");
  assert.deepEqual(JSON.parse(await readFile(FILE, "utf8")), document);
});

test("the document is valid OpenAPI 3.1", async () => {
  const result = await new Validator().validate(FILE);
  assert.deepEqual(result, { valid: true });
  assert.equal(document.openapi, "3.1.0");
  assert.equal(document.info.version, "1.0.0");
});

test("it has every operation of the contract at its path", () => {
  const paths = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
  );
  assert.deepEqual(paths.sort(), [
    "checkForUpdate get /api/v1/update/{platform}",
    "downloadForArchitecture get /api/v1/download/{platform}/{architecture}",
    "downloadForDefaultArchitecture get /api/v1/download/{platform}",
    "getHealth get /health",
    "getLatestRelease get /api/v1/releases/latest",
    "getRelease get /api/v1/releases/{version}",
    "getReleaseDownloads get /api/v1/releases/{version}/downloads",
    "getSignedManifest get /api/v1/manifest",
    "listReleases get /api/v1/releases",
    "redirectLegacyDownload get /download",
    "selectSmartDownload get /",
  ]);
});

test("only the selector is served by another origin than the API", () => {
  const elsewhere = operations.filter(({ servers }) => servers !== undefined);
  assert.deepEqual(
    elsewhere.map(({ operationId }) => operationId),
    ["selectSmartDownload"],
  );
});

test("every parameter of a path is declared, and required", () => {
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

test("every reference leads to a schema of the document", () => {
  const references = [
    ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g),
  ];
  assert.ok(references.length > 20);
  for (const [, name = ""] of references) assert.ok(name in document.components.schemas, name);
});

test("the wire shape has not moved without a note", () => {
  // Wording may change freely; a member that is called `description` is an object and stays.
  const shape = JSON.stringify(document, (key, value: unknown) =>
    (key === "description" || key === "summary") && typeof value === "string" ? undefined : value,
  );
  assert.equal(
    createHash("sha256").update(shape).digest("hex"),
    RELEASE_CONTRACT_HASH,
    "The wire shape of the release contract moved: note it in the version section of docs/protocol/release.md, then record the new hash in test/fixtures/release-contract-hash.ts",
  );
});
