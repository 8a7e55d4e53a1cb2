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

interface PushTarget {
  readonly host?: string;
  readonly token: string;
}

/** The push with this number, as it is written to a socket. */
export function createPushRequest(device: string, push: number, target: PushTarget): Buffer {
  return toPushRequest(pushTexts(device, push), target);
}

/** Pushes that give the device's own entity so many fields. */
export function createFieldRequests(device: string, fields: number, target: PushTarget): Buffer[] {
  const names = Array.from({ length: fields }, (_, field) => `more-${field}`);
  const texts: string[] = [];
  for (let first = 0; first < fields; first += FIELDS_OF_ONE) {
    const kind = first === 0 ? "create" : "patch";
    const sequence = texts.length + 1;
    texts.push(fieldsText(kind, device, sequence, names.slice(first, first + FIELDS_OF_ONE)));
  }
  const requests: Buffer[] = [];
  for (let first = 0; first < texts.length; first += OPERATIONS_OF_FIELDS) {
    requests.push(toPushRequest(texts.slice(first, first + OPERATIONS_OF_FIELDS), target));
  }
  return requests;
}

/** A push that changes one field of that entity; its number begins behind those that made it. */
export function createFieldRequest(
  device: string,
  fields: number,
  push: number,
  target: PushTarget,
): Buffer {
  const sequence = Math.ceil(fields / FIELDS_OF_ONE) + push + 1;
  const names = [`more-${(push * 7919) % fields}`];
  return toPushRequest([fieldsText("patch", device, sequence, names)], target);
}

/** With those that the profile asks for, an operation has fewer than it may; and a push fits its size. */
const FIELDS_OF_ONE = 200;
const OPERATIONS_OF_FIELDS = 25;

function fieldsText(
  kind: "create" | "patch",
  device: string,
  sequence: number,
  names: readonly string[],
): string {
  const more = names.map((name) => `,"${name}":${sequence}`).join("");
  const changed = names.map((name) => `"${name}"`).join(",");
  const all = kind === "create" ? `${CHANGED_BY_CREATE.slice(0, -1)},${changed}]` : `[${changed}]`;
  return operationText(kind, device, sequence, 0, all, more);
}

function toPushRequest(
  texts: readonly string[],
  { host = "127.0.0.1", token }: PushTarget,
): Buffer {
  const body = `{"operations":[${texts.join(",")}]}`;
  return Buffer.from(
    `POST /v1/push HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** The offsets after which pages begin, in an order that no cache of the database foresees: pulls read no hot page. */
export function pageStart(index: number, limit: number, spread: number): number {
  return ((index * 7919) % Math.floor(spread / limit)) * limit;
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
  more = "",
): string {
  const [habit, day] = [habitOf(device, entity), dayOf(entity)];
  return `{"protocolVersion":1,"operationId":"operation/${device}/${sequence}","kind":"${kind}","revision":{"deviceId":"${device}","sequence":${sequence}},"document":{"schemaVersion":1,"entityId":"entry/${habit}/${day}","deleted":false,"payload":{"id":"${habit}:${day}","habitId":"${habit}","date":"${day}","completed":true,"count":${sequence % 9},"timestamp":"${day}T07:30:00.000Z"${more}}},"changedFields":${changed},"changedMetadataFields":[]}`;
}

function habitOf(device: string, entity: number): string {
  return `${device}-habit-${Math.floor(entity / DAYS_PER_HABIT)}`;
}

function dayOf(entity: number): string {
  const start = Date.UTC(2020, 0, 1);
  return new Date(start + (entity % DAYS_PER_HABIT) * DAY_MS).toISOString().slice(0, 10);
}
