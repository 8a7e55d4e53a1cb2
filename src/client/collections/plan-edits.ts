/** Checks what an app asks of a collection and says which edits that are. Nothing is stored here. */
import { generateKeyBetween } from "fractional-indexing";
import { isObject } from "../../contract/is-object.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import {
  compareOrder,
  isCount,
  isElement,
  isOrderKey,
  partField,
  type FieldKind,
} from "../../rules/sync/field-kinds.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { Edit } from "../sync/encode-edit.ts";
import type { Fields } from "../sync/entity.ts";
import type { EntityView } from "../sync/entity-view.ts";
import { refuseEdit, type RefusedEdit } from "../sync/errors.ts";
import { isPlain } from "../sync/json-text.ts";
import type { OrderPlace } from "./collection.ts";
import type { CollectionSettings } from "./collection-settings.ts";
import { toPlace, type createCollectionView } from "./collection-view.ts";
import { placeAt, type Position } from "./positions.ts";
import { showFields } from "./show-fields.ts";

export interface EditPlan {
  readonly kind: "plan";
  readonly id: string;
  /** The first is that of the entity itself; others make room in the order. */
  readonly edits: readonly Edit[];
  /** Must be called when the edits are stored or refused. */
  release(): void;
}

export type Planner = ReturnType<typeof createPlanner>;

export interface PlannerOptions {
  readonly settings: CollectionSettings;
  readonly shown: ReturnType<typeof createCollectionView>;
  readonly entities: () => EntityView;
  readonly deviceId: () => string;
  readonly randomBytes: RandomBytes;
}

const ID_BYTES = 12;
const CALLS: Readonly<Record<FieldKind, string>> = {
  counter: "use increment, and give create a number",
  set: "use addTo or removeFrom, and give create texts",
  order: "use move",
};

export function createPlanner({
  settings,
  shown,
  entities,
  deviceId,
  randomBytes,
}: PlannerOptions) {
  const { type, kinds, orderField } = settings;
  /** What entities will be after edits that are not stored yet; null for a removed one. */
  const inFlight = new Map<string, { readonly fields: Fields | null }>();
  let greatestKey = "";

  function fieldsOf(id: string): Fields | null {
    const planned = inFlight.get(id);
    return planned === undefined
      ? (entities().get(`${type}/${id}`)?.payload ?? null)
      : planned.fields;
  }

  /** `next` is what the entities will be, by id. */
  function plan(
    id: string,
    edits: readonly Edit[],
    next: ReadonlyMap<string, Fields | null>,
  ): EditPlan {
    const entries = [...next].map(([one, fields]) => [one, { fields }] as const);
    for (const [one, entry] of entries) inFlight.set(one, entry);
    const release = () => {
      for (const [one, entry] of entries) if (inFlight.get(one) === entry) inFlight.delete(one);
    };
    return { kind: "plan", id, edits, release };
  }

  const editOf = (kind: Edit["kind"], id: string, payload: Fields | null): Edit => ({
    kind,
    entityId: `${type}/${id}`,
    payload,
    metadata: {},
  });

  /** A patch of one entity; `changed` are the fields that the app named. */
  function planPatch(
    id: string,
    edit: Edit,
    change: Fields,
    changed: Fields,
  ): EditPlan | RefusedEdit {
    const before = fieldsOf(id);
    const next = { ...before, ...change };
    const error = findChangeError(settings, before, next, changed);
    // Whether the entity is there is for the storage to say: another tab may have made it just now.
    return error ?? plan(id, [edit], new Map(before === null ? [] : [[id, next]]));
  }

  /** The key of an entity that stands last; the next one stands behind it, stored or not. */
  function takeLastKey(): Fields {
    if (orderField === null) return {};
    const last = shown.findLast((entity) => toPlace(entity, orderField).key !== "");
    const key = last === undefined ? "" : toPlace(last, orderField).key;
    greatestKey = generateKeyBetween((key > greatestKey ? key : greatestKey) || null, null);
    return { [orderField]: greatestKey };
  }

  function listPositions(field: string): Position[] {
    const listed = shown.list().map((entity) => toPlace(entity, field));
    if (inFlight.size === 0) return listed;
    const planned = [...inFlight].flatMap(([id, { fields }]) => {
      const key = fieldsOf(id)?.[field];
      return fields === null ? [] : [{ id, key: isOrderKey(key) ? key : "" }];
    });
    return [...listed.filter(({ id }) => !inFlight.has(id)), ...planned].sort(compareOrder);
  }

  const findKindError = (field: string, kind: FieldKind) =>
    kinds.get(field) === kind
      ? null
      : refuseEdit("field_kind", `"${field}" is not of the kind ${kind}`, field);

  function changeSet(id: string, field: string, element: string, value: true | null) {
    const wrong = findKindError(field, "set");
    if (wrong !== null) return wrong;
    if (!isElement(element)) {
      return refuseEdit("set_element", "an element must be a well-formed text", field);
    }
    const change = { [partField(field, element)]: value };
    return planPatch(id, editOf("patch", id, change), change, {});
  }

  return {
    create(given: Fields, options: { readonly id?: string } = {}): EditPlan | RefusedEdit {
      const id = options.id ?? encodeBase64Url(randomBytes(ID_BYTES));
      const first = toFirstFields(kinds, deviceId(), given);
      if ("refused" in first) return first.refused;
      const fields = { ...first.fields, ...takeLastKey() };
      return (
        findChangeError(settings, {}, fields, given) ??
        plan(id, [editOf("create", id, fields)], new Map([[id, fields]]))
      );
    },
    upsert(id: string, given: Fields): EditPlan | RefusedEdit {
      const change = toChange(kinds, given);
      if ("refused" in change) return change.refused;
      const before = fieldsOf(id);
      const initial = before === null ? takeLastKey() : {};
      const next = { ...initial, ...before, ...change.fields };
      const edit = { ...editOf("upsert", id, change.fields), initial };
      return (
        findChangeError(settings, before ?? {}, next, given) ??
        plan(id, [edit], new Map([[id, next]]))
      );
    },
    patch(id: string, given: Fields): EditPlan | RefusedEdit {
      const change = toChange(kinds, given);
      if ("refused" in change) return change.refused;
      return planPatch(id, editOf("patch", id, change.fields), change.fields, given);
    },
    remove: (id: string): EditPlan | RefusedEdit =>
      plan(id, [editOf("delete", id, {})], new Map([[id, null]])),
    restore: (id: string): EditPlan | RefusedEdit =>
      plan(id, [editOf("restore", id, null)], new Map()),
    increment(id: string, field: string, by = 1): EditPlan | RefusedEdit {
      const wrong = findKindError(field, "counter");
      if (wrong !== null) return wrong;
      if (!isCount(by)) return refuseEdit("count", "a counter takes a number below 2^53", field);
      const own = partField(field, deviceId());
      const count = fieldsOf(id)?.[own];
      const change = { [own]: (isCount(count) ? count : 0) + by };
      const edit = { ...editOf("patch", id, {}), increments: new Map([[field, by]]) };
      return planPatch(id, edit, change, {});
    },
    addTo: (id: string, field: string, element: string) => changeSet(id, field, element, true),
    removeFrom: (id: string, field: string, element: string) => changeSet(id, field, element, null),
    move(id: string, place: OrderPlace): EditPlan | RefusedEdit {
      if (orderField === null) {
        return refuseEdit("field_kind", "no field is of the kind order");
      }
      const others = listPositions(orderField).filter((one) => one.id !== id);
      const index = findPlace(others, place);
      if (index === null) {
        return refuseEdit(
          "order_place",
          "a place is first, last, or before or after another entity",
        );
      }
      const positions = placeAt(others, index, id);
      const edits = positions.map(({ id: one, key }) =>
        editOf("patch", one, { [orderField]: key }),
      );
      const next = positions.flatMap(({ id: one, key }) => {
        const fields = fieldsOf(one);
        return fields === null ? [] : [[one, { ...fields, [orderField]: key }] as const];
      });
      return plan(id, edits, new Map(next));
    },
  };
}

type FieldsResult = { readonly fields: Fields } | { readonly refused: RefusedEdit };

/** The stored fields of a new entity. */
function toFirstFields(
  kinds: CollectionSettings["kinds"],
  deviceId: string,
  given: Fields,
): FieldsResult {
  if (!isObject(given) || !isPlain(given)) return { refused: refuseNoObject() };
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const kind = kinds.get(name);
    if (value === undefined) continue;
    if (kind === undefined) fields[name] = value;
    else if (kind === "counter" && isCount(value)) fields[partField(name, deviceId)] = value;
    else if (kind === "set" && Array.isArray(value) && value.every(isElement)) {
      for (const element of value) fields[partField(name, element)] = true;
    } else return { refused: refuseKind(name, kind) };
  }
  return { fields };
}

function toChange(kinds: CollectionSettings["kinds"], given: Fields): FieldsResult {
  if (!isObject(given) || !isPlain(given)) return { refused: refuseNoObject() };
  for (const name of Object.keys(given)) {
    const kind = kinds.get(name);
    if (kind !== undefined) return { refused: refuseKind(name, kind) };
  }
  const entries = Object.entries(given).map(([name, value]) => [name, value ?? null]);
  return { fields: Object.fromEntries(entries) as Fields };
}

function refuseNoObject(): RefusedEdit {
  return refuseEdit("not_json", "the fields must be a plain object");
}

function refuseKind(field: string, kind: FieldKind): RefusedEdit {
  return refuseEdit("field_kind", `"${field}" is of the kind ${kind}: ${CALLS[kind]}`, field);
}

/** An entity that was invalid before may be mended field by field: then only the changed ones count. */
function findChangeError(
  settings: CollectionSettings,
  before: Fields | null,
  next: Fields,
  changed: Fields,
): RefusedEdit | null {
  const result = showFields(settings, next);
  if (result.kind === "valid") {
    const unknown = Object.keys(changed).find(
      (name) => (changed[name] ?? null) !== null && !Object.hasOwn(result.fields, name),
    );
    return unknown === undefined
      ? null
      : refuseEdit("unknown_field", `the schema has no field "${unknown}"`, unknown);
  }
  const wasInvalid = before === null || showFields(settings, before).kind === "invalid";
  const isNew = before !== null && Object.keys(before).length === 0;
  const issue = result.issues.find(
    ({ path }) => isNew || !wasInvalid || Object.hasOwn(changed, path.split(".")[0] ?? ""),
  );
  if (issue === undefined) return null;
  const { path, message } = issue;
  return refuseEdit("schema", path === "" ? message : `${path}: ${message}`, path);
}

function findPlace(others: readonly Position[], place: OrderPlace): number | null {
  if (!isObject(place)) return null;
  if ("first" in place) return 0;
  if ("last" in place) return others.length;
  const [neighbour, step] = "after" in place ? [place.after, 1] : [place.before, 0];
  const index = others.findIndex(({ id }) => id === neighbour);
  return index < 0 ? null : index + step;
}
