import { InvalidArgumentError, Option } from "commander";
import { nearest } from "../../config/values/nearest.ts";
import { isSelected, type Selector } from "../../config/values/selector.ts";
import { compare, counted, firstFew } from "../../config/values/sentences.ts";
import { Problem } from "../common/problem.ts";

/** The part of a member that `--where` looks at. */
export interface Described {
  readonly type: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

const labelPrefix = "labels.";

/** The option that chooses members by type and labels, as `over` of the settings does. */
export const whereOption = () =>
  new Option(
    "--where <key=value>",
    "only members with this type or label, such as labels.course=cs101; may be given several times",
  ).argParser(where);

/** Adds `type=user` or `labels.course=cs101` to a selector. Several types: any of them. Several labels: all of them. */
export function where(text: string, before: Selector = { labels: {} }): Selector {
  const [, key = "", value = ""] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (key === "type") {
    return { ...before, types: [...(before.types ?? []), value] };
  }
  const label = key.startsWith(labelPrefix) ? key.slice(labelPrefix.length) : "";
  if (label === "") {
    throw new InvalidArgumentError("It takes type=TYPE or labels.KEY=VALUE, such as labels.course=cs101.");
  }
  const other = before.labels[label];
  if (other !== undefined && other !== value) {
    throw new InvalidArgumentError(`A member has one value of ${key}, and it is to be ${other} already.`);
  }
  return { ...before, labels: { ...before.labels, [label]: value } };
}

/** Members that a selector fits. @throws Problem when it fits nobody, with the types and labels that there are */
export function selected<M>(members: readonly M[], described: (member: M) => Described, selector: Selector): M[] {
  const subjects = members.map((member) => ({ member, ...described(member) }));
  const isMeant = ({ type = "", labels }: Described, by: Selector) =>
    isSelected({ name: "", type: { name: type }, labels }, by);
  const found = subjects.filter((subject) => isMeant(subject, selector));
  if (found.length > 0) {
    return found.map(({ member }) => member);
  }
  const why = conditionsOf(selector).map(({ text, only }) => {
    const fit = subjects.filter((subject) => isMeant(subject, only)).length;
    return fit > 0 ? `${text} alone fits ${counted(fit, "member")}.` : unfitText(only, subjects);
  });
  const conditions = conditionsOf(selector).map(({ text }) => text);
  throw new Problem(`There is no member with ${conditions.join(" and ")}.`, {
    why: subjects.length === 0 ? "There are no members." : why.join("\n"),
    remedy: "Name a type and labels that there are with --where.",
  });
}

function conditionsOf({ types, labels }: Selector): { readonly text: string; readonly only: Selector }[] {
  return [
    ...(types === undefined ? [] : [{ text: `type=${types.join(" or ")}`, only: { types, labels: {} } }]),
    ...Object.entries(labels).map(([key, value]) => ({
      text: `${labelPrefix}${key}=${value}`,
      only: { labels: { [key]: value } },
    })),
  ];
}

/** A selector as it is typed, for a command to repeat. */
export const whereArguments = ({ types = [], labels }: Selector): string =>
  [...types.map((type) => `type=${type}`), ...Object.entries(labels).map(([key, value]) => `labels.${key}=${value}`)]
    .map((text) => `--where ${text}`)
    .join(" ");

const mostNames = 10;

/** Why one condition fits nobody. */
function unfitText({ types, labels }: Selector, subjects: readonly Described[]): string {
  const known = (all: readonly (string | undefined)[]) =>
    [...new Set(all.filter((each) => each !== undefined))].sort(compare);
  const [key = "", value = ""] = Object.entries(labels)[0] ?? ["type", types?.[0]];
  const keys = known(subjects.flatMap((subject) => Object.keys(subject.labels)));
  if (types === undefined && !keys.includes(key)) {
    return keys.length === 0
      ? "No member has labels."
      : `No member has the label '${key}'${nearest(key, keys) || "."} The labels are ${firstFew(keys, mostNames)}.`;
  }
  const values = known(subjects.map((subject) => (types === undefined ? subject.labels[key] : subject.type)));
  const name = types === undefined ? `${labelPrefix}${key}` : key;
  return `${name} is ${firstFew(values, mostNames)}${nearest(value, values) || "."}`;
}
