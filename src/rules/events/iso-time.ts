/** The time of day and the offset of an ISO 8601 text: what follows the `T`. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";

export type IsoForm = "basic" | "extended";

export interface IsoTime {
  /** Null: hours alone are the same in both. */
  readonly form: IsoForm | null;
  /** Milliseconds; those of a whole day for 24:00. */
  readonly sinceMidnight: number;
  readonly offset: IsoOffset | null;
}

export interface IsoOffset {
  readonly form: IsoForm | null;
  /** `Z`, or as in `+02:00`. */
  readonly text: string;
  readonly ms: number;
}

const TIME = /^(\d\d)(?:(:?)(\d\d)(?:\2(\d\d))?)?(?:[.,](\d+))?(?:(Z)|([+-]\d.*))?$/is;
const MIXED_TIME = /^\d\d(?::\d{4}|\d\d:\d\d)/;

export function readIsoTime(text: string): IsoTime | "mixed-forms" | "invalid-date" {
  const match = TIME.exec(text);
  if (match === null) return MIXED_TIME.test(text) ? "mixed-forms" : "invalid-date";
  const [, hour, colon, minute, second, digits = "", utc, shift] = match;
  const offset = utc === undefined ? readOffset(shift) : UTC;
  const sinceMidnight = addUp(Number(hour), minute, second, digits);
  if (offset === undefined || sinceMidnight === null) return "invalid-date";
  return { form: readForm(minute, colon), sinceMidnight, offset };
}

const UTC: IsoOffset = { form: null, text: "Z", ms: 0 };

function readForm(minute: string | undefined, colon: string | undefined): IsoForm | null {
  if (minute === undefined) return null;
  return colon === ":" ? "extended" : "basic";
}

/** Null when there is none, undefined when it is invalid. */
function readOffset(text: string | undefined): IsoOffset | null | undefined {
  if (text === undefined) return null;
  const [, sign, hour, colon, minute] = /^([+-])(\d\d)(?:(:?)(\d\d))?$/.exec(text) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute ?? 0) > 59) return undefined;
  const ms = Number(hour) * HOUR_MS + Number(minute ?? 0) * MINUTE_MS;
  const written = `${sign}${hour}:${minute ?? "00"}`;
  return { form: readForm(minute, colon), text: written, ms: sign === "-" ? -ms : ms };
}

function addUp(
  hour: number,
  minute: string | undefined,
  second: string | undefined,
  digits: string,
): number | null {
  const [minutes, seconds] = [Number(minute ?? 0), Number(second ?? 0)];
  if (hour > 24 || minutes > 59 || seconds > 60) return null;
  const unit = minute === undefined ? HOUR_MS : second === undefined ? MINUTE_MS : 1000;
  // A leap second is read as the last second before it.
  const whole = hour * HOUR_MS + minutes * MINUTE_MS + Math.min(seconds, 59) * 1000;
  const isPastMidnight = whole > DAY_MS || /[1-9]/.test(digits);
  return hour === 24 && isPastMidnight ? null : whole + cutFraction(digits, unit);
}

/** The decimals of a `unit` in milliseconds, rounded down; exact for any number of digits. */
function cutFraction(digits: string, unit: number): number {
  let ms = 0;
  for (let index = digits.length - 1; index >= 0; index--) {
    ms = Math.floor((Number(digits[index]) * unit + ms) / 10);
  }
  return ms;
}
