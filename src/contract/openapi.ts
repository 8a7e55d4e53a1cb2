import type { TSchema } from "typebox";
import type { DeclaredResponse, Parameter, Route, ServiceContract } from "./route.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** The OpenAPI 3.1 document of a contract. */
export function contractToOpenApi(contract: ServiceContract): JsonObject {
  const toRef = createReferences(contract.schemas);
  const [firstOrigin] = Object.keys(contract.origins);
  const paths: Record<string, JsonObject> = {};
  for (const route of contract.routes) {
    const item = (paths[route.path] ??= {});
    item[route.method.toLowerCase()] = {
      operationId: route.operationId,
      summary: route.summary,
      ...(route.description !== undefined && { description: route.description }),
      // The servers of the document are those of the first origin.
      ...(route.origin !== firstOrigin && { servers: [server(contract, route.origin)] }),
      ...(route.auth !== undefined && { security: [{ [route.auth]: [] }] }),
      parameters: parameters(route),
      ...(route.body !== undefined && {
        requestBody: {
          required: true,
          content: { [route.body.mediaType]: { schema: toRef(route.body.schema) } },
        },
      }),
      responses: responses(route.responses, toRef),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: contract.title,
      version: contract.version,
      description: contract.description,
      license: { name: "MIT", identifier: "MIT" },
    },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: firstOrigin === undefined ? [] : [server(contract, firstOrigin)],
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(contract.schemas).map(([name, schema]) => [name, toRef(schema, name)]),
      ),
      ...(contract.routes.some(({ auth }) => auth === "bearer") && {
        securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      }),
    },
  };
}

function server(contract: ServiceContract, origin: string): JsonObject {
  const entry = contract.origins[origin];
  if (entry === undefined) throw new Error(`Unknown origin "${origin}" in the contract`);
  return { url: entry.url, description: entry.description };
}

function parameters(route: Route): Json[] {
  const entries = (place: "path" | "query", record: Readonly<Record<string, Parameter>> = {}) =>
    Object.entries(record).map(([name, parameter]) => ({
      name,
      in: place,
      required: parameter.required === true,
      description: parameter.description,
      schema: {
        ...toJson(parameter.schema),
        ...(parameter.default !== undefined && { default: parameter.default }),
      },
    }));
  const headers = Object.entries(route.requestHeaders ?? {}).map(([name, header]) => ({
    name,
    in: "header",
    required: false,
    description: header.description,
    schema: toJson(header.schema),
  }));
  return [...entries("path", route.params), ...entries("query", route.query), ...headers];
}

function responses(
  declared: Readonly<Record<number, DeclaredResponse>>,
  toRef: (schema: TSchema) => JsonObject,
): JsonObject {
  const result: JsonObject = {};
  for (const [status, response] of Object.entries(declared)) {
    result[status] = {
      description: response.description,
      ...(response.headers !== undefined && {
        headers: Object.fromEntries(
          Object.entries(response.headers).map(([name, header]) => [
            name,
            {
              description: header.description,
              required: header.required === true,
              schema: { type: "string" },
            },
          ]),
        ),
      }),
      ...(response.schema !== undefined && {
        content: { [response.mediaType ?? "application/json"]: { schema: toRef(response.schema) } },
      }),
    };
  }
  return result;
}

/** Replaces every schema that has a name by a reference to it, at any depth. */
function createReferences(named: Readonly<Record<string, TSchema>>) {
  const nameBySchema = new Map<unknown, string>(
    Object.entries(named).map(([name, schema]) => [schema, name]),
  );
  const walk = (value: unknown, own?: string): Json => {
    const name = nameBySchema.get(value);
    if (name !== undefined && name !== own) return { $ref: `#/components/schemas/${name}` };
    if (Array.isArray(value)) return value.map((item) => walk(item));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item)]));
    }
    return value as Json;
  };
  return (schema: TSchema, own?: string) => walk(schema, own) as JsonObject;
}

function toJson(schema: TSchema): JsonObject {
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}
