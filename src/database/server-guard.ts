/**
 * Keeps an open store from its callers while it is checked: after a failover the server that was promoted may
 * lack what the process has acknowledged, and no caller may read the lesser state as if it were the newest.
 */
export interface ServerGuard {
  /** What is to be waited for before a statement, and after one, which is to be repeated; null for nothing. */
  pending(): Promise<void> | null;
  /** The check runs when another server was found, and again until it has succeeded. */
  onChange(check: () => Promise<void>): void;
  close(): void;
}

/** `watch` calls its argument when another server was found, and returns what ends that. */
export function createServerGuard(watch: (onChange: () => void) => () => void): ServerGuard {
  const checks: (() => Promise<void>)[] = [];
  let found = 0;
  let checked = 0;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (checked < found) {
      const target = found;
      for (const check of checks) await check();
      checked = target;
    }
  }

  function pending(): Promise<void> | null {
    if (checked === found || checks.length === 0) return null;
    running ??= Promise.resolve()
      .then(run)
      .finally(() => {
        running = null;
      });
    return running;
  }

  const close = watch(() => {
    // What was found before there is a check is checked by the first one.
    found++;
    // What fails now, because the server is away again, is tried by the next statement.
    pending()?.catch(() => {});
  });
  return { pending, onChange: (check) => void checks.push(check), close };
}

/** For the checks themselves. */
export const NO_GUARD: ServerGuard = { pending: () => null, onChange() {}, close() {} };
