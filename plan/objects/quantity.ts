/**
 * Quantities in the form in which the API server gives them back, so that a refresh sees no difference in a value that
 * nobody changed.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */

/** `1500` thousandths are `1500m`, `2000` are `2`. */
export function cpuQuantity(millicores: number): string {
  return millicores % 1000 === 0 ? countQuantity(millicores / 1000) : `${millicores}m`;
}

/** `1500` pieces are `1500`, `2000` are `2k`. */
export function countQuantity(pieces: number): string {
  return scaled(pieces, 1000, ["", "k", "M", "G"]);
}

/** `500` MiB are `500Mi`, `2048` are `2Gi`. */
export function memoryQuantity(mebibytes: number): string {
  return scaled(mebibytes, 1024, ["Mi", "Gi", "Ti", "Pi"]);
}

/** A whole number of the largest unit that there is one of. */
function scaled(number: number, step: number, units: readonly string[]): string {
  let amount = number;
  let unit = 0;
  while (amount !== 0 && amount % step === 0 && unit < units.length - 1) {
    amount /= step;
    unit += 1;
  }
  return amount === 0 ? "0" : `${amount}${units[unit]}`;
}
