/**
 * Gives the day of an instant on this device, which is what a person calls today.
 * @param instant - milliseconds since 1970
 * @returns the day as `YYYY-MM-DD`
 */
export function toLocalDate(instant: number): string {
  const date = new Date(instant);
  const pad = (value: number, length: number) => String(value).padStart(length, "0");
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`;
}
