/** What a piece of work took of this process: answers a function that tells it. */
export function startClock(): () => { readonly seconds: number; readonly cpuSeconds: number } {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6 };
  };
}
