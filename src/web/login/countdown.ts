/** A wait in words, counted down every second. */

/** Calls `onTick` with the time left, and with null at the end. */
export function startCountdown(
  seconds: number,
  language: string,
  onTick: (text: string | null) => void,
): void {
  const endsAt = Date.now() + seconds * 1000;
  const tick = () => {
    // The clock decides, because a tab in the background misses ticks.
    const leftMs = Math.min(seconds * 1000, endsAt - Date.now());
    onTick(leftMs > 0 ? formatWait(Math.ceil(leftMs / 1000), language) : null);
    if (leftMs > 0) setTimeout(tick, leftMs % 1000 || 1000);
  };
  tick();
}

export function formatWait(seconds: number, language: string): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  const parts = [
    ...(minutes > 0 ? [formatUnit(minutes, "minute", language)] : []),
    ...(rest > 0 || minutes === 0 ? [formatUnit(rest, "second", language)] : []),
  ];
  return parts.join(" ");
}

function formatUnit(value: number, unit: "minute" | "second", language: string): string {
  const settings = { style: "unit", unit, unitDisplay: "long" } as const;
  return new Intl.NumberFormat(language, settings).format(value);
}
