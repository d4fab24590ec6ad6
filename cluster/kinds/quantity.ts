const binary = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const decimal = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const form = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([numkMGTPE]|[KMGTPE]i)|([eE][+-]?\d+))?$/;

/**
 * A quantity as a number: CPUs, bytes or pieces. (@kubernetes/client-node does not export its own function.)
 * @returns undefined if the text is no quantity
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
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
