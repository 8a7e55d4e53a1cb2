export function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
