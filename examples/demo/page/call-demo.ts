/** What the page of the demo passes to its script, and how the script calls the demo. */
import { isObject } from "../../../src/contract/is-object.ts";
import type { StepName } from "./step-names.ts";

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
  /** The steps that were done since the demo was started, in any of its pages. */
  readonly done: readonly StepName[];
}

/** A habit of the devices, as far as the server has it. */
export interface StoredHabit {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  /** Whether it was done on each of seven days; the last one is today. */
  readonly days: readonly boolean[];
}

/** The services that the conformance kit tests, in the order of the page. */
export const CONFORMANCE_SERVICES = ["release", "sync", "events"] as const;
export type ConformanceService = (typeof CONFORMANCE_SERVICES)[number];

/** A case of the conformance kit that was run. */
export interface ShownCase {
  readonly id: string;
  readonly title: string;
  readonly result: "passed" | "failed" | "skipped";
}

/** The control whose response has a line for each case, as soon as it was run. */
export const CONFORMANCE_CONTROL = "conformance";

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
    readonly week: readonly StoredHabit[];
  };
  readonly authorize: { readonly url: string };
  readonly restore: { readonly replaced: number; readonly restored: number };
  readonly publish: { readonly version: string; readonly sequence: number; readonly keyId: string };
  readonly homework: { readonly title: string };
  readonly finish: { readonly done: readonly StepName[] };
  /** Whether an attacker has the mirror; then the version that it announces. */
  readonly mirror: { readonly forgedVersion: string | null };
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
    const response = await post(token, name, input);
    return (await response.json()) as ControlResults[Name];
  };
}

export type RunKit = (
  service: ConformanceService,
  onResult: (result: ShownCase) => void,
) => Promise<void>;

export function createRunKit(token: string): RunKit {
  return async (service, onResult) => {
    const { body } = await post(token, CONFORMANCE_CONTROL, { service });
    if (body === null) return;
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (text + part.value).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) readLine(JSON.parse(line) as ShownCase | Failure, onResult);
    }
  };
}

/** The last line, when the run broke off. */
export interface Failure {
  readonly error: string;
}

function readLine(line: ShownCase | Failure, onResult: (result: ShownCase) => void): void {
  if ("error" in line) throw new ControlError(500, line.error);
  onResult(line);
}

async function post(token: string, name: string, input: object): Promise<Response> {
  const response = await fetch(`${CONTROL_PATH}${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", [TOKEN_HEADER]: token },
    body: JSON.stringify(input),
    cache: "no-store",
  });
  if (response.ok) return response;
  const body: unknown = await response.json();
  throw new ControlError(response.status, isObject(body) ? String(body["error"]) : "");
}
