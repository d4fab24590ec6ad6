import { containsSecrets, isProps, isSecret, type Props, secret } from "../../../../buckets/protocol/values.ts";

/**
 * Marks as secret in `outs` the values that are secret in `ins`. In objects, it marks single fields; a list that contains a
 * secret is marked as a whole, because the server may reorder it.
 */
export function markSecrets(outs: Props, ins: Props): Props {
  const marked = { ...outs };
  if (outs.kind === "Secret") {
    for (const field of ["data", "stringData"]) {
      if (field in outs) {
        marked[field] = secret(outs[field] ?? null);
      }
    }
    return marked;
  }
  for (const [key, given] of Object.entries(ins)) {
    const value = outs[key];
    if (value === undefined) {
      continue;
    }
    if (isProps(value) && isProps(given) && !isSecret(value) && !isSecret(given)) {
      marked[key] = markSecrets(value, given);
    } else if (containsSecrets(given)) {
      marked[key] = secret(value);
    }
  }
  return marked;
}
