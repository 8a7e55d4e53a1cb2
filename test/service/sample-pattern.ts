/** What makes an expression go back most: what leads to each of its repetitions, and what they repeat. */

export interface Sample {
  /** Matches what is before the repetition. */
  readonly start: string;
  /** Matches the repeated part once. */
  readonly unit: string;
}

interface Piece {
  /** Texts that it matches, as far as they are worth trying. */
  readonly texts: readonly string[];
  readonly samples: readonly Sample[];
}

const EMPTY: Piece = { texts: [""], samples: [] };
/** The members of a class that are tried. */
const LETTERS = [
  " ",
  "\t",
  "\n",
  "a",
  "A",
  "0",
  "-",
  ".",
  "/",
  ":",
  ";",
  ",",
  "<",
  '"',
  "*",
  "_",
  "é",
];
const MAX_TEXTS = 3;

export function samplePattern(source: string): Sample[] {
  let at = 0;

  function readAlternatives(): Piece {
    const branches = [readSequence()];
    while (source[at] === "|") {
      at++;
      branches.push(readSequence());
    }
    return {
      texts: branches.flatMap(({ texts }) => texts).slice(0, MAX_TEXTS),
      samples: branches.flatMap(({ samples }) => samples),
    };
  }

  function readSequence(): Piece {
    let texts: readonly string[] = [""];
    const samples: Sample[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") {
      const piece = readRepeated();
      for (const { start, unit } of piece.samples) {
        samples.push({ start: `${texts[0]}${start}`, unit });
      }
      texts = texts.flatMap((text) => piece.texts.map((next) => text + next)).slice(0, MAX_TEXTS);
    }
    return { texts, samples };
  }

  function readRepeated(): Piece {
    const piece = readAtom();
    const [quantifier = ""] = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(source.slice(at)) ?? [];
    at += quantifier.length;
    const [least = "0", most = least] = quantifier.startsWith("{")
      ? quantifier.replaceAll(/[{}?]/g, "").split(",")
      : [];
    if (quantifier === "") return piece;
    const isMany = /^[*+]/.test(quantifier) || most === "" || Number(most) > 16;
    const units = isMany ? piece.texts.filter((text) => text !== "") : [];
    const samples = [...piece.samples, ...units.map((unit) => ({ start: "", unit }))];
    if (/^[*?]/.test(quantifier)) return { texts: ["", ...piece.texts].slice(0, 2), samples };
    const times = Math.min(Number(least) || 1, 64);
    return { texts: piece.texts.map((text) => text.repeat(times)), samples };
  }

  function readAtom(): Piece {
    const rest = source.slice(at);
    const [group] = /^\((?:\?(?:[:=!]|<[=!]|<\w+>|[ims-]+:))?/.exec(rest) ?? [];
    if (group !== undefined) {
      at += group.length;
      const piece = readAlternatives();
      at++;
      return /[=!]$/.test(group) ? { ...EMPTY, samples: piece.samples } : piece;
    }
    const [atom = ""] =
      /^(?:\[(?:[^\]\\]|\\.)*\]|\\[pP]\{\w+(?:=\w+)?\}|\\u\{\w+\}|\\u\w{4}|\\x\w\w|\\k<\w+>|\\?.)/su.exec(
        rest,
      ) ?? [];
    at += atom.length;
    if (/^(?:[$^]|\\[bB]|\\k.*|\\\d)$/.test(atom)) return EMPTY;
    const member = compile(`^(?:${atom})$`);
    const named = atom.startsWith("[") ? atom.slice(1, -1).replaceAll(/\\./g, "") : "";
    const literal = /^[^\\[.]$/.test(atom) ? [atom] : [];
    const letters = [...literal, ...named, ...LETTERS, ...ASCII].filter((one) => member.test(one));
    return { texts: [...new Set(letters)].slice(0, MAX_TEXTS), samples: [] };
  }

  return removeRepeated(readAlternatives().samples);
}

/** A class may need the flag that its expression has. */
function compile(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    return new RegExp(source);
  }
}

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** Also without what leads to it, and that alone: an expression without an anchor begins anywhere, and again. */
function removeRepeated(samples: readonly Sample[]): Sample[] {
  const all = samples.flatMap((sample) => [
    sample,
    { ...sample, start: "" },
    ...(sample.start === "" ? [] : [{ start: "", unit: sample.start }]),
  ]);
  return [...new Map(all.map((sample) => [JSON.stringify(sample), sample])).values()];
}
