import { secretSignature, signatureKey, unknown } from "../../config/names/pulumiMarks.ts";

export type Value = null | boolean | number | string | Value[] | Props;
export interface Props {
  [key: string]: Value;
}

export function isProps(value: Value | undefined): value is Props {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function propsOf(value: Value | undefined): Props {
  return isProps(value) ? value : {};
}

export function at(value: Value | undefined, ...path: (string | number)[]): Value | undefined {
  let found: Value | undefined = value;
  for (const step of path) {
    if (Array.isArray(found) && typeof step === "number") {
      found = found[step];
    } else if (isProps(found)) {
      found = found[step];
    } else {
      return undefined;
    }
  }
  return found;
}

export function textAt(value: Value | undefined, ...path: (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === "string" ? found : "";
}

export function isSecret(value: Value | undefined): value is Props {
  return isProps(value) && value[signatureKey] === secretSignature;
}

export function secret(value: Value): Value {
  return isSecret(value) ? value : { [signatureKey]: secretSignature, value };
}

function withoutSecrets(value: Value): Value {
  if (isSecret(value)) {
    return withoutSecrets(value.value ?? null);
  }
  if (Array.isArray(value)) {
    return value.map(withoutSecrets);
  }
  return isProps(value) ? mapProps(value, withoutSecrets) : value;
}

export function plain(props: Props): Props {
  return propsOf(withoutSecrets(props));
}

export function containsSecrets(value: Value): boolean {
  return isSecret(value) || children(value).some(containsSecrets);
}

export function containsUnknowns(value: Value): boolean {
  return value === unknown || children(value).some(containsUnknowns);
}

export function mapProps(props: Props, change: (value: Value, key: string) => Value): Props {
  return Object.fromEntries(Object.entries(props).map(([key, value]) => [key, change(value, key)]));
}

function children(value: Value): Value[] {
  if (Array.isArray(value)) {
    return value;
  }
  return isProps(value) ? Object.values(value) : [];
}
