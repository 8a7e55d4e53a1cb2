/** Reads the Dockerfile as instructions: as much of its syntax as ours uses. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

export interface Instruction {
  readonly name: string;
  readonly rest: string;
  /** Counted from 0; each FROM begins one. */
  readonly stage: number;
}

const INSTRUCTION =
  /^(?<name>ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|RUN|STOPSIGNAL|USER|VOLUME|WORKDIR) (?<rest>.+)$/s;

export function readDockerfile(): Instruction[] {
  const text = readFileSync(join(ROOT, "Dockerfile"), "utf8");
  const lines = text.replaceAll(/^\s*#.*\n/gm, "").replaceAll(/\\\n\s*/g, "");
  let stage = -1;
  return lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const { name, rest } = INSTRUCTION.exec(line)?.groups ?? {};
      if (name === undefined || rest === undefined) throw new Error(`Not an instruction: ${line}`);
      if (name === "FROM") stage++;
      return { name, rest, stage };
    });
}

/** The last value, of the stage that becomes the image. */
export function lastOf(instructions: readonly Instruction[], name: string): string {
  const stage = instructions.at(-1)?.stage;
  const found = instructions.findLast((item) => item.name === name && item.stage === stage);
  if (found === undefined) throw new Error(`The image has no ${name}`);
  return found.rest;
}

/** The environment that the image sets. */
export function environmentOf(instructions: readonly Instruction[]): Record<string, string> {
  const pairs = lastOf(instructions, "ENV").matchAll(/([A-Z_]+)=(\S+)/g);
  return Object.fromEntries([...pairs].map(([, name = "", value = ""]) => [name, value]));
}

/** Of an instruction in exec form, without a shell. */
export function execForm(text: string): string[] {
  const words: unknown = JSON.parse(text);
  if (Array.isArray(words) && words.every((word) => typeof word === "string")) return words;
  throw new Error(`Not the exec form: ${text}`);
}
