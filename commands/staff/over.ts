import { InvalidArgumentError } from "commander";

/** `over` of an entry of staff, as the settings have it. */
export interface Over {
  readonly types?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly members?: readonly string[];
}

/** Adds `course=cs101`, `type=user` or `member=ada`. */
export function over(text: string, before: Over = {}): Over {
  const [, key = "", value = ""] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (key === "") {
    throw new InvalidArgumentError("It takes KEY=VALUE, such as course=cs101, type=user or member=ada.");
  }
  if (key === "type") {
    return { ...before, types: [...(before.types ?? []), value] };
  }
  if (key === "member") {
    return { ...before, members: [...(before.members ?? []), value] };
  }
  const label = key.replace(/^labels\./, "");
  const other = before.labels?.[label];
  if (other !== undefined && other !== value) {
    throw new InvalidArgumentError(`A member has one value of ${label}, and it is to be ${other} already.`);
  }
  return { ...before, labels: { ...before.labels, [label]: value } };
}
