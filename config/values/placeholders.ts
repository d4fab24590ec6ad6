import { isMap } from "./maps.ts";

export const placeholders = ["member", "namespace", "subject", "url"] as const;

/** `${member}`, or an escaped `$${member}`. */
const pattern = /\$(\$?)\{([^{}]*)\}/g;

export const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(pattern)].flatMap(([, dollar, name = ""]) => (dollar === "" ? [name] : []));

export const filledText = (text: string, values: Readonly<Partial<Record<string, string>>>): string =>
  text.replaceAll(pattern, (whole, dollar: string, name: string) =>
    dollar === "" ? (values[name] ?? whole) : whole.slice(1),
  );

/** A value with the placeholders of all its texts filled in. Keys are left as they are. */
export function filled<T>(value: T, values: Readonly<Partial<Record<string, string>>>): T {
  if (typeof value === "string") {
    return filledText(value, values) as T & string;
  }
  if (Array.isArray(value)) {
    return value.map((each) => filled(each, values)) as T & unknown[];
  }
  return isMap(value)
    ? (Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, values)])) as T & object)
    : value;
}

/** All texts in a value, keys included, with their paths. */
export function textsIn(
  value: unknown,
  at: readonly PropertyKey[] = [],
): { at: readonly PropertyKey[]; text: string; isKey: boolean }[] {
  if (typeof value === "string") {
    return [{ at, text: value, isKey: false }];
  }
  if (Array.isArray(value)) {
    return value.flatMap((each, index) => textsIn(each, [...at, index]));
  }
  return isMap(value)
    ? Object.entries(value).flatMap(([key, each]) => [
        { at: [...at, key], text: key, isKey: true },
        ...textsIn(each, [...at, key]),
      ])
    : [];
}

/** Stands for the member's name in `route.host`, `route.path` and `route.backendTls.serverName`. */
export const memberPlaceholder = "{member}";

export const withMember = (template: string, member: string) => template.replaceAll(memberPlaceholder, member);
