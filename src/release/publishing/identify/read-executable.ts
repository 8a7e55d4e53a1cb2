/** What the headers of programs tell: the system and the architecture that they were built for. */
import type { ArtifactPlatform } from "../../../contract/release/values.ts";

export interface Executable {
  readonly format: "PE" | "Mach-O" | "ELF";
  readonly platform: ArtifactPlatform;
  /** Undefined for a processor that has no name here. */
  readonly architecture: string | undefined;
  /** Whether the program has a code signature; undefined when the header does not tell. */
  readonly isSigned?: boolean;
}

/** The first bytes that hold every header below. */
export const HEADER_BYTES = 4096;

/** Where an app for macOS has its program. */
export const MAC_PROGRAM = /\.app\/Contents\/MacOS\/[^/]+$/;

/** Undefined when the file does not begin like a program. */
export function readExecutable(head: Buffer): Executable | undefined {
  return readPe(head) ?? readMachO(head) ?? readElf(head);
}

const PE_MACHINES: ReadonlyMap<number, string> = new Map([
  [0x014c, "x86"],
  [0x8664, "x64"],
  [0xaa64, "arm64"],
  [0x01c4, "armv7"],
]);
/** The index of the certificate table among the data directories. */
const CERTIFICATES = 4;

/** PE format: "MZ", the offset of the COFF header at 0x3c, and the optional header behind that. */
function readPe(head: Buffer): Executable | undefined {
  if (head.length < 0x40 || head.toString("latin1", 0, 2) !== "MZ") return undefined;
  const at = head.readUInt32LE(0x3c);
  if (at + 0x18 > head.length || head.toString("latin1", at, at + 4) !== "PE\0\0") return undefined;
  const optional = at + 0x18;
  const isWide = optional + 2 <= head.length && head.readUInt16LE(optional) === 0x20b;
  const certificates = optional + (isWide ? 112 : 96) + CERTIFICATES * 8;
  return {
    format: "PE",
    platform: "windows",
    architecture: PE_MACHINES.get(head.readUInt16LE(at + 4)),
    isSigned: certificates + 8 <= head.length && head.readUInt32LE(certificates + 4) > 0,
  };
}

const MACH_CPUS: ReadonlyMap<number, string> = new Map([
  [0x0000_0007, "x86"],
  [0x0100_0007, "x64"],
  [0x0100_000c, "arm64"],
]);
/** A class file of Java has the same magic, and its version in this place, from 45 on. */
const MAX_FAT_PARTS = 20;

function readMachO(head: Buffer): Executable | undefined {
  if (head.length < 32) return undefined;
  const found = (architecture: string | undefined): Executable => ({
    format: "Mach-O",
    platform: "macos",
    architecture,
  });
  const little = head.readUInt32LE(0);
  if (little === 0xfeedface || little === 0xfeedfacf) {
    return found(MACH_CPUS.get(head.readUInt32LE(4)));
  }
  const parts = head.readUInt32BE(4);
  if (head.readUInt32BE(0) !== 0xcafebabe || parts === 0 || parts > MAX_FAT_PARTS) return undefined;
  const cpus = Array.from({ length: parts }, (_, index) => 8 + index * 20)
    .filter((at) => at + 4 <= head.length)
    .map((at) => MACH_CPUS.get(head.readUInt32BE(at)));
  return found(new Set(cpus).size > 1 ? "universal" : cpus[0]);
}

const ELF_MACHINES: ReadonlyMap<number, string> = new Map([
  [3, "x86"],
  [40, "armv7"],
  [62, "x64"],
  [183, "arm64"],
]);

function readElf(head: Buffer): Executable | undefined {
  if (head.length < 20 || head.toString("latin1", 0, 4) !== "\x7fELF") return undefined;
  const architecture = ELF_MACHINES.get(head.readUInt16LE(18));
  return { format: "ELF", platform: "linux", architecture };
}
