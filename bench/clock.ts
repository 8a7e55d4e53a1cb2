/** Starts measuring this process; the returned function gives the wall and processor time since. */
export function startClock(): () => { readonly seconds: number; readonly cpuSeconds: number } {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6 };
  };
}
