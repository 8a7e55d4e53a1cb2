/** The size of a file; no file is empty, so it is never shown as 0. */
export function formatSize(bytes: number, locale: string): string {
  const [unit, size] = bytes < 1_000_000 ? ["kilobyte", 1000] : ["megabyte", 1_000_000];
  const options = { style: "unit", unit, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, options).format(Math.max(bytes / size, 0.1));
}
