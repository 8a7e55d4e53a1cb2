/** Says which edits the calls of a collection are. Nothing is stored here. */
import { generateKeyBetween } from "fractional-indexing";
import type { ClearProfile } from "../../contract/sync/operation-limits.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import { readEntityId } from "../../rules/sync/entity-id.ts";
import {
  compareOrder,
  isCount,
  isElement,
  isOrderKey,
  partField,
  type FieldKind,
} from "../../rules/sync/field-kinds.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import { changeFields, NO_FIELDS, type DatedFields } from "../../rules/sync/evolved-fields.ts";
import { toFieldsBeside, toRestoredFields } from "../../rules/sync/evolved-writes.ts";
import type { CompleteEdit, Edit } from "../sync/encode-edit.ts";
import { datePayload, type Fields } from "../sync/entity.ts";
import type { EntityView } from "../sync/entity-view.ts";
import { refuseEdit, type RefusedEdit } from "../sync/errors.ts";
import type { OrderPlace } from "./collection.ts";
import type { CollectionSettings } from "./collection-settings.ts";
import { toPlace, type createCollectionView } from "./collection-view.ts";
import { findUnknownOption } from "./find-unknown-option.ts";
import { findPlace, placeAt, type Position } from "./positions.ts";
import { findChangeError, toStoredFields, withOlderFields } from "./stored-fields.ts";

export interface EditPlan {
  readonly kind: "plan";
  readonly id: string;
  /** The first is that of the entity itself; others make room in the order. */
  readonly edits: readonly Edit[];
  /** Must be called when the edits are stored or refused. */
  release(): void;
}

export type Planner = ReturnType<typeof createPlanner>;

type Plan = EditPlan | RefusedEdit;

export interface PlannerOptions {
  readonly settings: CollectionSettings;
  readonly shown: ReturnType<typeof createCollectionView>;
  readonly entities: () => EntityView;
  readonly deviceId: () => string;
  readonly randomBytes: RandomBytes;
  readonly profile: ClearProfile;
}

const ID_BYTES = 12;

export function createPlanner(options: PlannerOptions) {
  const { settings, shown, entities, deviceId, randomBytes, profile } = options;
  const { type, kinds, orderField, evolutions } = settings;
  /** What entities will be after edits that are not stored yet; null for a removed one. */
  const inFlight = new Map<string, { readonly dated: DatedFields | null }>();
  let greatestKey = "";

  function fieldsOf(id: string): DatedFields | null {
    const planned = inFlight.get(id);
    if (planned !== undefined) return planned.dated;
    const entity = entities().get(`${type}/${id}`);
    return entity === undefined ? null : datePayload(entity);
  }

  /** `next` is what the entities will be, by id. */
  function plan(
    id: string,
    edits: readonly Edit[],
    next: readonly (readonly [id: string, fields: DatedFields | null])[],
  ): Plan {
    const read =
      typeof id === "string" ? readEntityId(`${type}/${id}`, "open") : { expected: "be text" };
    if ("expected" in read) {
      return refuseEdit("entity_id", `the id "${id}" must ${read.expected}`, "id");
    }
    for (const { payload } of edits) noteKey(payload);
    const entries = next.map(([one, dated]) => [one, { dated }] as const);
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

  /** `before` is empty for a new entity, and null for one that only the storage may have: another tab made it. */
  function planChange(id: string, edit: Edit, before: DatedFields | null, change: Fields): Plan {
    const next = changeFields(before ?? NO_FIELDS, change);
    const error = findChangeError(settings, before, next, {});
    return error ?? plan(id, [edit], before === null ? [] : [[id, next]]);
  }

  /** What is made next stands behind every key that is in flight, stored or not. */
  function noteKey(fields: Fields | null): void {
    const key = keyOf(fields);
    if (key > greatestKey) greatestKey = key;
  }

  const keyOf = (fields: Fields | null): string => {
    const key = orderField === null ? null : fields?.[orderField];
    return isOrderKey(key) ? key : "";
  };

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
    const planned = [...inFlight].flatMap(([id, { dated }]) =>
      dated === null ? [] : [{ id, key: keyOf(dated.fields) }],
    );
    return [...listed.filter(({ id }) => !inFlight.has(id)), ...planned].sort(compareOrder);
  }

  const findKindError = (field: string, kind: FieldKind) =>
    kinds.get(field) === kind
      ? null
      : refuseEdit(
          "field_kind",
          `"${field}" is not of the kind ${kind}: declare it in kinds, or use patch`,
          field,
        );

  function changeSet(id: string, field: string, element: string, value: true | null): Plan {
    const wrong = findKindError(field, "set");
    if (wrong !== null) return wrong;
    if (!isElement(element)) {
      return refuseEdit("set_element", "an element must be a well-formed text", field);
    }
    const change = { [partField(field, element)]: value };
    return planChange(id, editOf("patch", id, change), fieldsOf(id), change);
  }

  function write(kind: "add" | "upsert" | "patch", id: string, given: Fields): Plan {
    const isAdd = kind === "add";
    const stored = toStoredFields(settings, given, isAdd ? deviceId() : null);
    if (stored.kind === "refused") return stored;
    const { fields } = stored;
    // The profile `habits` has fields of this name.
    if (profile === "open" && (fields["id"] ?? id) !== id) {
      return refuseEdit("unknown_field", "the id is no field: use create(fields, { id })", "id");
    }
    const isPatch = kind === "patch";
    const held = isAdd ? null : fieldsOf(id);
    const initial = held === null && !isPatch ? takeLastKey() : {};
    const before = isPatch ? held : (held ?? NO_FIELDS);
    const next = changeFields(before ?? NO_FIELDS, { ...initial, ...fields });
    const error = findChangeError(settings, before, next, given);
    if (error !== null) return error;
    const all = withOlderFields(evolutions, fields);
    if (all.kind === "refused") return all;
    const names = new Set(Object.keys(all.fields));
    const complete: CompleteEdit = (stored) => toFieldsBeside(evolutions, stored, names);
    const isEvolved = evolutions.size > 0 && names.size > 0;
    const edit = { ...editOf(kind, id, all.fields), initial, ...(isEvolved && { complete }) };
    if (before === null) return plan(id, [edit], []);
    const change = { ...initial, ...all.fields, ...complete(before) };
    return plan(id, [edit], [[id, changeFields(before, change)]]);
  }

  return {
    create(given: Fields, options: { id?: string } = {}): Plan {
      const unknown = findUnknownOption(options, ["id"]);
      if (unknown !== null) return refuseEdit("entity_id", unknown);
      const { id = encodeBase64Url(randomBytes(ID_BYTES)) } = options;
      return write("add", id, given);
    },
    upsert: (id: string, given: Fields): Plan => write("upsert", id, given),
    patch: (id: string, given: Fields): Plan => write("patch", id, given),
    remove: (id: string): Plan => plan(id, [editOf("delete", id, {})], [[id, null]]),
    restore(id: string): Plan {
      const complete: CompleteEdit = (held) => toRestoredFields(evolutions, held);
      const edit = editOf("restore", id, null);
      return plan(id, [evolutions.size > 0 ? { ...edit, complete } : edit], []);
    },
    increment(id: string, field: string, by = 1): Plan {
      const wrong = findKindError(field, "counter");
      if (wrong !== null) return wrong;
      if (!isCount(by)) return refuseEdit("count", "a counter takes a number below 2^53", field);
      const own = partField(field, deviceId());
      const before = fieldsOf(id);
      const count = before?.fields[own];
      const change = { [own]: (isCount(count) ? count : 0) + by };
      const edit = { ...editOf("patch", id, {}), increments: new Map([[field, by]]) };
      return planChange(id, edit, before, change);
    },
    addTo: (id: string, field: string, element: string) => changeSet(id, field, element, true),
    removeFrom: (id: string, field: string, element: string) => changeSet(id, field, element, null),
    move(id: string, place: OrderPlace): Plan {
      if (orderField === null) return refuseEdit("field_kind", "no field is of the kind order");
      const others = listPositions(orderField).filter((one) => one.id !== id);
      const index = findPlace(others, place);
      if (typeof index === "object") return index;
      const changes = placeAt(others, index, id).map(
        (one) => [one.id, { [orderField]: one.key }] as const,
      );
      const edits = changes.map(([one, change]) => editOf("patch", one, change));
      const next = changes.flatMap(([one, change]) => {
        const dated = fieldsOf(one);
        return dated === null ? [] : [[one, changeFields(dated, change)] as const];
      });
      return plan(id, edits, next);
    },
  };
}
