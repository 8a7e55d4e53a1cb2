/** The operations of a busy habits app: days ticked, and ticked again. Each is named by its number. */
import { DAY_MS } from "../../src/contract/durations.ts";

export const PUSH_SIZE = 100;

const CHANGED_BY_CREATE = `["id","habitId","date","completed","count","timestamp"]`;
const CHANGED_BY_PATCH = `["count","timestamp"]`;
const DAYS_PER_HABIT = 365;

export function createText(device: string, sequence: number, entity: number): string {
  return operationText("create", device, sequence, entity, CHANGED_BY_CREATE);
}

export function patchText(device: string, sequence: number, entity: number): string {
  return operationText("patch", device, sequence, entity, CHANGED_BY_PATCH);
}

/** The operations of the push with this number: seven of ten new, the others change an earlier push. */
export function pushTexts(device: string, push: number): string[] {
  return Array.from({ length: PUSH_SIZE }, (_, index) => {
    const number = push * PUSH_SIZE + index;
    const earlier = number - 7 - (push > 0 ? PUSH_SIZE : 0);
    return index % 10 < 7
      ? createText(device, number + 1, number)
      : patchText(device, number + 1, earlier);
  });
}

/** The push with this number, as it is written to a socket. */
export function createPushRequest(
  device: string,
  push: number,
  { host = "127.0.0.1", token }: { readonly host?: string; readonly token: string },
): Buffer {
  const body = `{"operations":[${pushTexts(device, push).join(",")}]}`;
  return Buffer.from(
    `POST /v1/push HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

export function entityIdOf(device: string, entity: number): string {
  return `entry/${habitOf(device, entity)}/${dayOf(entity)}`;
}

function operationText(
  kind: "create" | "patch",
  device: string,
  sequence: number,
  entity: number,
  changed: string,
): string {
  const [habit, day] = [habitOf(device, entity), dayOf(entity)];
  return `{"protocolVersion":1,"operationId":"operation/${device}/${sequence}","kind":"${kind}","revision":{"deviceId":"${device}","sequence":${sequence}},"document":{"schemaVersion":1,"entityId":"entry/${habit}/${day}","deleted":false,"payload":{"id":"${habit}:${day}","habitId":"${habit}","date":"${day}","completed":true,"count":${sequence % 9},"timestamp":"${day}T07:30:00.000Z"}},"changedFields":${changed},"changedMetadataFields":[]}`;
}

function habitOf(device: string, entity: number): string {
  return `${device}-habit-${Math.floor(entity / DAYS_PER_HABIT)}`;
}

function dayOf(entity: number): string {
  const start = Date.UTC(2020, 0, 1);
  return new Date(start + (entity % DAYS_PER_HABIT) * DAY_MS).toISOString().slice(0, 10);
}
