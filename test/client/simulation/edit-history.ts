/** Every edit of a simulation, and what its app was told. */
import type { EditResult, StoredEntity } from "../../../src/client/index.ts";
import type { PlannedEdit } from "./planned-edit.ts";

export interface EditRecord extends PlannedEdit {
  readonly number: number;
  readonly deviceName: string;
  /** Ids of keys that its device knew to be replaced: nothing of it may be sealed under one. */
  readonly replacedKeyIds: ReadonlySet<string>;
  /** Null while its promise is pending, which it stays when the process is killed. */
  result: EditResult | null;
  /** What the app showed after it, when nothing else happened; null otherwise. */
  broughtBack: Pick<StoredEntity, "payload" | "metadata"> | null;
}

export interface EditHistory {
  readonly records: readonly EditRecord[];
  begin(edit: PlannedEdit, deviceName: string, replacedKeyIds?: ReadonlySet<string>): EditRecord;
  /** Names of devices that ever settled bills. */
  readonly settling: Set<string>;
  /** Operations that a person threw away from a quarantine. */
  readonly discarded: Set<string>;
  /** Ids, or names, of devices that are gone with their unsent changes: erased by their person, or lost. */
  readonly goneDevices: Set<string>;
  /**
   * Entities that the operator purged. A device that was away may bring an older change of one, which
   * no delete hides any more.
   */
  readonly purged: Set<string>;
}

const NONE: ReadonlySet<string> = new Set();

export function createEditHistory(): EditHistory {
  const records: EditRecord[] = [];
  return {
    records,
    settling: new Set(),
    discarded: new Set(),
    goneDevices: new Set(),
    purged: new Set(),
    begin(edit, deviceName, replacedKeyIds = NONE) {
      const record = {
        ...edit,
        number: records.length,
        deviceName,
        replacedKeyIds,
        result: null,
        broughtBack: null,
      };
      records.push(record);
      return record;
    },
  };
}
