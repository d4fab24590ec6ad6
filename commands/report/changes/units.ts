import { quantityValue } from "../../../cluster/kinds/quantity.ts";

const mebibyte = 1024 ** 2;

/** `500m`, `1`, `1.5`, as in Kubernetes: the field's name says that these are CPUs. */
export function cpuText(quantity: string): string {
  const cpus = quantityValue(quantity);
  if (cpus === undefined) {
    return quantity;
  }
  const millicores = Math.round(cpus * 1000);
  return millicores % 1000 !== 0 && millicores < 1000 ? `${millicores}m` : String(millicores / 1000);
}

/** `500 MiB`, `2 GiB`, `1.5 GiB`; a larger unit only where hundredths of it are exact. */
export function memoryText(quantity: string): string {
  const bytes = quantityValue(quantity);
  if (bytes === undefined) {
    return quantity;
  }
  const larger = ["TiB", "GiB"].map((unit, at) => ({ unit, amount: bytes / mebibyte / 1024 ** (2 - at) }));
  const fit = larger.find(({ amount }) => amount >= 1 && Number.isInteger(amount * 100));
  return fit === undefined ? `${bytes / mebibyte} MiB` : `${fit.amount} ${fit.unit}`;
}

/** `2k` becomes `2000`. */
export function countText(quantity: string): string {
  return String(quantityValue(quantity) ?? quantity);
}
