import type { SyncSettings } from "./settings.ts";

/** One timer: setting it again replaces the time before. */
export function createTimer({ now, setTimer }: SyncSettings, onDue: () => void) {
  let dueAt = 0;
  let cancel = () => {};
  return {
    set(delay: number): void {
      cancel();
      dueAt = now() + delay;
      cancel = setTimer(onDue, delay);
    },
    cancel: () => cancel(),
    remainingMs: () => dueAt - now(),
  };
}
