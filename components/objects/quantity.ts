/**
 * Quantities in the form in which the API server gives them back, so that a refresh sees no difference in a value that
 * nobody changed.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */

/** `1500` thousandths are `1500m`, `2000` are `2`. */
export function cpuQuantity(millicores: number): string {
  return millicores % 1000 === 0 ? String(millicores / 1000) : `${millicores}m`;
}

/** `500` MiB are `500Mi`, `2048` are `2Gi`. */
export function memoryQuantity(mebibytes: number): string {
  const units = ["Mi", "Gi", "Ti", "Pi"];
  let amount = mebibytes;
  let unit = 0;
  while (amount !== 0 && amount % 1024 === 0 && unit < units.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return amount === 0 ? "0" : `${amount}${units[unit]}`;
}
