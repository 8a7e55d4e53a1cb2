/** A route table is a service's whole HTTP surface: the router binds it, OpenAPI is derived from it. */
import type { TSchema } from "typebox";

/** A longer request target is refused by every service, except where a route allows it. */
export const MAX_TARGET_BYTES = 8 * 1024;

export type Method = "GET" | "POST" | "DELETE";

export interface Parameter {
  /** The schema is checked after the value was read as text, or, for integers, as a canonical decimal. */
  readonly schema: TSchema;
  readonly description: string;
  readonly required?: boolean;
  readonly default?: string | number;
  /** The error code of an invalid value; null treats an invalid value as absent. */
  readonly invalid: string | null;
  /** An integer from 1 on of any length, which is read as a bigint. */
  readonly anyLength?: true;
}

export interface ResponseHeader {
  readonly description: string;
  readonly required?: boolean;
}

export interface DeclaredResponse {
  readonly description: string;
  /** A response without a schema has no body. */
  readonly schema?: TSchema;
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, ResponseHeader>>;
}

export interface Route {
  readonly operationId: string;
  readonly method: Method;
  readonly origin: string;
  /** A path with its parameters in braces: `/api/v1/releases/{version}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Path parameters, in the order in which they are checked (before the query). */
  readonly params?: Readonly<Record<string, Parameter>>;
  /** Set where a valid query may be longer than the targets of other routes. */
  readonly maxTargetBytes?: number;
  /** Query parameters, in the order in which they are checked. */
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly requestHeaders?: Readonly<Record<string, { description: string; schema: TSchema }>>;
  readonly body?: {
    readonly schema: TSchema;
    readonly mediaType: string;
    /** Set where the contract bounds the body below the configured limit of the service. */
    readonly maxBytes?: number;
    /** The error code of a body that is JSON but does not match the schema. */
    readonly invalid: string;
    /** The kit checks media type and size; the handler parses the bytes. */
    readonly parsedBy?: "handler";
  };
  /** A route without `auth` is public. */
  readonly auth?: "bearer";
  /** The limit of the service that counts the requests of this route. */
  readonly rateLimit?: {
    readonly name: string;
    /**
     * A request is counted by its client before the authentication, by its principal after it. One that is
     * counted as a stranger's passes the limit when its browser is known.
     */
    readonly by: "client" | "stranger" | "principal";
    /** Images and frames of other sites must not use up the limit of the person who visits them. */
    readonly pageLoadsOnly?: boolean;
  };
  /**
   * The error codes of a parameter that the route does not declare, and of a broken escape. Absent:
   * unknown parameters are ignored, and a broken escape makes only its own parameter invalid.
   */
  readonly strictQuery?: { readonly unknown: string; readonly malformed: string };
  /**
   * The handler reads query and body itself, because another specification defines the order of the
   * checks and their responses; the table declares them for the OpenAPI document alone.
   */
  readonly reads?: "raw";
  readonly responses: Readonly<Record<number, DeclaredResponse>>;
}

export interface ServiceContract {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Origins by name, with the server entry of the OpenAPI document. */
  readonly origins: Readonly<Record<string, { url: string; description: string }>>;
  readonly routes: readonly Route[];
  /** Named schemas of the OpenAPI document. */
  readonly schemas: Readonly<Record<string, TSchema>>;
}

/** A route inside its table, where its key is its operation id. */
export type DeclaredRoute = Omit<Route, "operationId" | "origin"> & { readonly origin?: string };

/** Completes the routes of a table with their operation ids, and with what most of them share. */
export function createRoutes<
  const Origin extends string,
  Table extends Readonly<Record<string, DeclaredRoute>>,
>(
  shared: Pick<Route, "strictQuery"> & { readonly origin: Origin },
  table: Table,
): CompleteRoutes<Origin, Table> {
  return Object.fromEntries(
    Object.entries(table).map(([operationId, route]) => [
      operationId,
      { operationId, ...shared, ...route },
    ]),
  ) as CompleteRoutes<Origin, Table>;
}

type CompleteRoutes<Origin, Table> = {
  readonly [Id in keyof Table]: Table[Id] & {
    readonly operationId: Id;
    readonly origin: Table[Id] extends { readonly origin: infer Own } ? Own : Origin;
  };
};

/** A response for each status, which describes it by the codes that come with it. */
export function createErrorResponses(
  refusals: readonly { readonly status: number; readonly code: string }[],
  response: Omit<DeclaredResponse, "description">,
): Record<number, DeclaredResponse> {
  const byStatus = Map.groupBy(refusals, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => {
      const codes = new Set(list.map(({ code }) => `\`${code}\``));
      return [status, { description: [...codes].join(", "), ...response }];
    }),
  );
}
