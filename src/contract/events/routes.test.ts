import assert from "node:assert/strict";
import { test } from "node:test";
import { createChecker } from "../check.ts";
import type { Route } from "../route.ts";
import { EVENTS_ERROR_CODES, EVENTS_ERRORS } from "./errors.ts";
import { EVENTS_PAGE_ROUTES } from "./page-routes.ts";
import { EVENTS_CONTRACT, EVENTS_ROUTES } from "./routes.ts";
import { EventsError } from "./schemas.ts";

const tables: Record<string, Route>[] = [EVENTS_ROUTES, EVENTS_PAGE_ROUTES];

test("both tables can be bound together: no name and no place is taken twice", () => {
  const routes = tables.flatMap((table) => Object.values(table));
  const names = tables.flatMap((table) => Object.keys(table));
  assert.deepEqual(
    routes.map(({ operationId }) => operationId),
    names,
  );
  assert.equal(new Set(names).size, routes.length);
  assert.equal(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size, routes.length);
});

test("pages are no part of the document", () => {
  const documented = new Set(EVENTS_CONTRACT.routes.map(({ path }) => path));
  for (const { path } of Object.values(EVENTS_PAGE_ROUTES)) assert.ok(!documented.has(path), path);
});

test("every error can be said, in JSON, in a header and in an address", () => {
  for (const error of EVENTS_ERROR_CODES) {
    const error_description = EVENTS_ERRORS[error].description;
    assert.deepEqual(createChecker(EventsError).errors({ error, error_description }), []);
  }
});
