/** A document of the size of an entry of the habits app. */
export function createDocument(number: number) {
  return {
    habitId: `habit-${Math.floor(number / 365)}`,
    date: new Date(Date.UTC(2020, 0, 1) + (number % 365) * 86_400_000).toISOString().slice(0, 10),
    completed: true,
    count: number % 9,
    timestamp: "2026-01-31T07:30:00.000Z",
  };
}
