/** Quantities in the API server's own form, so that a refresh shows no difference in an unchanged value. */

/** For example `1500m` for 1500 millicores, `2` for 2000. */
export function cpuQuantity(millicores: number): string {
  return millicores % 1000 === 0 ? countQuantity(millicores / 1000) : `${millicores}m`;
}

/** For example `1500` for 1500 pieces, `2k` for 2000. */
export function countQuantity(pieces: number): string {
  return scaled(pieces, 1000, ["", "k", "M", "G"]);
}

/** For example `500Mi` for 500 MiB, `2Gi` for 2048. */
export function memoryQuantity(mebibytes: number): string {
  return scaled(mebibytes, 1024, ["Mi", "Gi", "Ti", "Pi"]);
}

/** A whole number of the largest possible unit. */
function scaled(number: number, step: number, units: readonly string[]): string {
  let amount = number;
  let unit = 0;
  while (amount !== 0 && amount % step === 0 && unit < units.length - 1) {
    amount /= step;
    unit += 1;
  }
  return amount === 0 ? "0" : `${amount}${units[unit]}`;
}
