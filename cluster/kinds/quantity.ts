const binary = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const decimal = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const form = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([numkMGTPE]|[KMGTPE]i)|([eE][+-]?\d+))?$/;

/** CPUs, bytes or pieces; undefined if it is no quantity. (@kubernetes/client-node does not export its function.) */
export function quantityValue(quantity: string): number | undefined {
  const [, figure, unit = "", exponent = ""] = form.exec(quantity) ?? [];
  if (figure === undefined) {
    return undefined;
  }
  return binary.includes(unit)
    ? Number(figure) * 1024 ** (binary.indexOf(unit) + 1)
    : // No multiplication: 1e-3 times 250 would not be exactly a quarter.
      Number(`${figure}${exponent || `e${(decimal.indexOf(unit) - decimal.indexOf("")) * 3}`}`);
}
