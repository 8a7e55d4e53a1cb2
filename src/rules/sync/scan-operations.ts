/** Finds the exact text of each operation in a body, and of each field in an operation. */
import {
  isListAt,
  isObjectAt,
  skipSpace,
  skipValue,
  visitElements,
  visitMembers,
  type MemberTally,
} from "./json-text.ts";

export interface ScannedOperation {
  /** The operation's JSON exactly as it came. */
  readonly text: string;
  /** Of all its objects, as written; more than in the parsed value when a name is given twice. */
  readonly memberCount: number;
  /** The JSON text of `revision.sequence`; empty when there is none. */
  readonly sequenceText: string;
  /** The JSON text of each member of the document. */
  readonly documentTexts: ReadonlyMap<string, string>;
  /** The JSON text of each member of the document's payload. */
  readonly payloadTexts: ReadonlyMap<string, string>;
}

/**
 * The elements of the one top-level `operations` list of a push body or a pulled page. The text must
 * be JSON that was parsed before; null when it has no such list, or several.
 */
export function scanOperations(body: string): ScannedOperation[] | null {
  const start = skipSpace(body, 0);
  if (!isObjectAt(body, start)) return null;
  let mentions = 0;
  let found = false;
  const operations: ScannedOperation[] = [];
  const ignored: MemberTally = { members: 0 };
  visitMembers(body, start, ignored, (name, at) => {
    if (name !== "operations") return skipValue(body, at, ignored);
    mentions++;
    if (!isListAt(body, at)) return skipValue(body, at, ignored);
    found = true;
    return visitElements(body, at, (elementStart) => {
      const { operation, end } = scanElement(body, elementStart);
      operations.push(operation);
      return end;
    });
  });
  return found && mentions === 1 ? operations : null;
}

/** One operation's own JSON text, such as the store keeps. */
export function scanOperation(text: string): ScannedOperation {
  return scanElement(text, skipSpace(text, 0)).operation;
}

function scanElement(text: string, start: number): { operation: ScannedOperation; end: number } {
  const tally: MemberTally = { members: 0 };
  const documentTexts = new Map<string, string>();
  const payloadTexts = new Map<string, string>();
  let sequenceText = "";

  const scanRevision = (at: number) =>
    visitMembers(text, at, tally, (name, valueStart) => {
      const end = skipValue(text, valueStart, tally);
      if (name === "sequence") sequenceText = text.slice(valueStart, end);
      return end;
    });
  const scanPayload = (at: number) =>
    visitMembers(text, at, tally, (name, valueStart) => {
      const end = skipValue(text, valueStart, tally);
      payloadTexts.set(name, text.slice(valueStart, end));
      return end;
    });
  const scanDocument = (at: number) =>
    visitMembers(text, at, tally, (name, valueStart) => {
      const isPayload = name === "payload" && isObjectAt(text, valueStart);
      const end = isPayload ? scanPayload(valueStart) : skipValue(text, valueStart, tally);
      documentTexts.set(name, text.slice(valueStart, end));
      return end;
    });

  const end = isObjectAt(text, start)
    ? visitMembers(text, start, tally, (name, valueStart) => {
        if (isObjectAt(text, valueStart)) {
          if (name === "revision") return scanRevision(valueStart);
          if (name === "document") return scanDocument(valueStart);
        }
        return skipValue(text, valueStart, tally);
      })
    : skipValue(text, start, tally);
  return {
    operation: {
      text: text.slice(start, end),
      memberCount: tally.members,
      sequenceText,
      documentTexts,
      payloadTexts,
    },
    end,
  };
}
