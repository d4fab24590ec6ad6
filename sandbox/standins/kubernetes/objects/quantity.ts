/** The API server's canonical form of a quantity (`1000m` is `1`, `1024Mi` is `1Gi`). */
import type { Value } from "../../../../buckets/protocol/values.ts";

const decimal = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binary = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d+)?$/;

/** Returns other text unchanged: the API server reports the mistake. */
export function formatQuantity(value: Value): Value {
  if (typeof value !== "string" && typeof value !== "number") {
    return value;
  }
  const match = pattern.exec(String(value).trim());
  if (!match || !(match[2] || match[3])) {
    return value;
  }
  const [, sign = "", whole = "", fraction = "", suffix = ""] = match;
  // In units of 10^-9, the smallest for a quantity; finer values are rounded up.
  const exponent = suffix.includes("i") ? 0 : scaleOf(suffix);
  let nanos = BigInt(whole + fraction) * (suffix.includes("i") ? 1024n ** BigInt(binary.indexOf(suffix)) : 1n);
  const shift = 9 + exponent - fraction.length;
  nanos = shift >= 0 ? nanos * 10n ** BigInt(shift) : ceilDiv(nanos, 10n ** BigInt(-shift));
  if (nanos === 0n) {
    return "0";
  }
  const isExponent = /^[eE]\d|^[eE][+-]/.test(suffix);
  return sign.replace("+", "") + (suffix.includes("i") ? formatBinary(nanos) : formatDecimal(nanos, isExponent));
}

function scaleOf(suffix: string): number {
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix);
  return exponent ? Number(exponent[1]) : (decimal.indexOf(suffix) - 3) * 3;
}

function formatDecimal(nanos: bigint, asExponent: boolean): string {
  let rest = nanos;
  let power = 0;
  while (rest % 1000n === 0n && power < decimal.length - 1) {
    rest /= 1000n;
    power++;
  }
  if (!asExponent) {
    return `${rest}${decimal[power]}`;
  }
  return power === 3 ? `${rest}` : `${rest}e${(power - 3) * 3}`;
}

function formatBinary(nanos: bigint): string {
  const billion = 10n ** 9n;
  // For a fraction of a byte, or less than 1024, the server uses the decimal form.
  if (nanos % billion !== 0n || nanos < 1024n * billion) {
    return formatDecimal(nanos, false);
  }
  let rest = nanos / billion;
  let power = 0;
  while (rest % 1024n === 0n && power < binary.length - 1) {
    rest /= 1024n;
    power++;
  }
  return `${rest}${binary[power]}`;
}

function ceilDiv(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
