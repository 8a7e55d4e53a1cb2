import type { API_ROUTES } from "../handlers.ts";

/** A response that is a file of the tree. */
export interface StoredResponse {
  /** The key of the web server rules: `release/2.0.0`. */
  readonly key: string;
  readonly operationId: keyof typeof API_ROUTES;
  /** The request target on the live service. */
  readonly target: string;
  readonly file: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly body: Uint8Array;
}

/** What is known of it before it is recorded. */
export type ResponseAddress = Pick<StoredResponse, "key" | "operationId" | "target" | "file">;
