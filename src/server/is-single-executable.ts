/** Whether this program is the one file of `npm run build:binary`. Bun and Deno may lack the module. */
export function isSingleExecutable(): boolean {
  return process.getBuiltinModule("node:sea")?.isSea() ?? false;
}
