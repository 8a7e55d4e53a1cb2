/**
 * What a route table is made of. A service's whole HTTP surface is one such table: the router binds
 * it, the OpenAPI document is derived from it, and nothing else knows a path or a status.
 */
import type { TSchema } from "typebox";

export type Method = "GET" | "POST" | "DELETE";

export interface Parameter {
  /** What a value must match after it was read as text (or, for integers, as a canonical decimal). */
  readonly schema: TSchema;
  readonly description: string;
  readonly required?: boolean;
  readonly default?: string | number;
  /** The code a wrong value answers; null reads a wrong value as if it were absent. */
  readonly invalid: string | null;
}

export interface ResponseHeader {
  readonly description: string;
  readonly required?: boolean;
}

export interface DeclaredResponse {
  readonly description: string;
  /** Absent: the answer has no body. */
  readonly schema?: TSchema;
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, ResponseHeader>>;
}

export interface Route {
  readonly operationId: string;
  readonly method: Method;
  /** Which of the service's origins answers it. */
  readonly origin: string;
  /** A path whose parameters stand in braces: `/api/v1/releases/{version}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Path parameters, in the order in which they are checked (before the query). */
  readonly params?: Readonly<Record<string, Parameter>>;
  /** Query parameters, in the order in which they are checked. */
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly requestHeaders?: Readonly<Record<string, { description: string; schema: TSchema }>>;
  readonly body?: {
    readonly schema: TSchema;
    readonly mediaType: string;
    /** The code of a body that parses but does not match the schema. */
    readonly invalid: string;
    /** The kit holds the body to its media type and its size, and leaves the rest to the handler. */
    readonly parsedBy?: "handler";
  };
  /** Who may ask; absent: anybody. */
  readonly auth?: "bearer";
  /**
   * The codes of a parameter that the route does not name, and of a broken escape. Absent: unknown
   * parameters are ignored, and a broken escape spoils only its own parameter.
   */
  readonly strictQuery?: { readonly unknown: string; readonly malformed: string };
  /**
   * The handler reads query, credentials and body by itself, because their order and their answers
   * are laid down elsewhere; what this table says of them is for the document alone.
   */
  readonly reads?: "raw";
  readonly answers: Readonly<Record<number, DeclaredResponse>>;
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
