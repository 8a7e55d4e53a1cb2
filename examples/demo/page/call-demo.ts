/** What the page of the demo passes to its script, and how the script calls the demo. */
import { isObject } from "../../../src/contract/is-object.ts";

export const CONTROL_PATH = "/control/";
export const TOKEN_HEADER = "X-Demo-Token";

export interface DemoDevice {
  readonly name: "phone" | "laptop";
  /** The origin of the app in the frame. */
  readonly origin: string;
}

export interface DemoPageData {
  readonly token: string;
  readonly devices: readonly DemoDevice[];
  readonly backupCreatedAt: string;
  /** Of the account, which the page enters for its devices. */
  readonly recoveryKey: string;
}

/** An operation as it is in the database of the server. */
export interface SeenOperation {
  readonly kind: string;
  readonly deviceId: string;
  readonly entityId: string;
  readonly fields: readonly { readonly name: string; readonly json: string }[];
}

/** What the controls return; `examples/demo/page-service` sends them. */
export interface ControlResults {
  readonly store: {
    readonly entities: number;
    readonly operations: number;
    readonly generation: string;
    readonly newest: readonly SeenOperation[];
  };
  readonly authorize: { readonly url: string };
  readonly restore: { readonly replaced: number; readonly restored: number };
  readonly publish: { readonly version: string; readonly sequence: number; readonly keyId: string };
  readonly homework: { readonly title: string };
}

export type ControlName = keyof ControlResults;
export type CallDemo = <Name extends ControlName>(
  name: Name,
  input?: object,
) => Promise<ControlResults[Name]>;

/** The demo said why it could not do it; other errors mean that it was not reached. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function createCallDemo(token: string): CallDemo {
  return async <Name extends ControlName>(name: Name, input: object = {}) => {
    const response = await fetch(`${CONTROL_PATH}${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", [TOKEN_HEADER]: token },
      body: JSON.stringify(input),
      cache: "no-store",
    });
    const body: unknown = await response.json();
    if (response.ok) return body as ControlResults[Name];
    throw new ControlError(response.status, isObject(body) ? String(body["error"]) : "");
  };
}
