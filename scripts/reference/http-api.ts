/** The page of routes, from the contracts: what there is, and where its OpenAPI file and its protocol are. */
import { EVENTS_CONTRACT } from "../../src/contract/events/routes.ts";
import { RELEASE_API } from "../../src/contract/release/feed-routes.ts";
import type { ServiceContract } from "../../src/contract/route.ts";
import { SYNC_CONTRACT } from "../../src/contract/sync/routes.ts";
import type { GeneratedFile } from "../bundle-web.ts";
import { code, createPage, createTable } from "./page.ts";

export function generateHttpApiPage(): GeneratedFile {
  return createPage("http-api", "src/contract", [
    "# HTTP API",
    "Every route of the three services. The OpenAPI 3.1 files have parameters, bodies and errors; the protocol pages have the rules.",
    ...describeService("Releases", "release", RELEASE_API),
    ...describeService("Sync", "sync", SYNC_CONTRACT),
    ...describeService("Events", "events", EVENTS_CONTRACT),
  ]);
}

function describeService(title: string, name: string, { routes }: ServiceContract): string[] {
  return [
    `## ${title}`,
    `[OpenAPI](../../openapi/${name}.json) · [Protocol](../protocol/${name}.md)`,
    createTable(
      ["Route", "Does"],
      routes.map(({ method, path, summary }) => [code(`${method} ${path}`), summary]),
    ),
  ];
}
