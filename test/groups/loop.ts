/** `npm test` runs the loop "main", `npm run test:all` the rest. */
export type Loop = "main" | "all";

let loop: Loop | null = null;

export function startLoop(started: Loop): void {
  loop = started;
}

/** Also true where a file runs by itself. */
export function isInLoop(asked: Loop): boolean {
  return loop === null || loop === asked;
}
