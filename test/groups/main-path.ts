/**
 * The tests of a file that is in both loops: `npm test` runs its main path, `npm run test:all`
 * every other case.
 */
import { test as register } from "node:test";
import { isInLoop } from "./loop.ts";

type Register = (name: string, run: () => Promise<void>) => void;

const leaveOut: Register = () => {};

export const mainPath: Register = isInLoop("main") ? register : leaveOut;
export const test: Register = isInLoop("all") ? register : leaveOut;
