import { StorageUnavailableError } from "../database/database.ts";

/** The name and the stack frames of an error. Its message may quote user input and is left out. */
export function describeError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { error: typeof error };
  // The messages of this error are ours, and say it all.
  if (error instanceof StorageUnavailableError)
    return { error: error.name, message: error.message };
  return { error: error.name, at: framesOf(error).slice(0, 5) };
}

/** The frames after the message in the stack: a line of the message could look like a frame. */
function framesOf({ message, stack = "" }: Error): string[] {
  const start = stack.indexOf(message);
  if (start < 0) return [];
  return stack
    .slice(start + message.length)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at "));
}
