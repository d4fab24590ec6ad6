import { homeNames, serviceName } from "../../../naming/names.ts";
import { manifestKind } from "../../model/members/givenKinds.ts";
import type { GivenObject, Member } from "../../model/members/member.ts";
import { placeholdersIn, textsIn } from "../../model/settings/placeholders.ts";
import type { Settings } from "../../model/settings/settings.ts";
import { type RawMistake, valueAt, valueMistake } from "../../sources/mistakes.ts";
import type { RulesContext } from "../rules.ts";
import { contentProblems } from "./contentProblems.ts";

interface Problem {
  readonly index: number;
  readonly member: string;
  readonly message: string;
  /** For a member who has left the list: until when, and what to do. */
  readonly grace: string;
}

/**
 * Mistakes in members' objects after placeholders are filled in: names, two objects of one name, and unsafe fields. Each is
 * reported once, with one of the members.
 */
export function givenFindings(members: readonly Member[], { raw, settings }: RulesContext): RawMistake[] {
  const problems = members.flatMap((member) => {
    const { objects = [] } = member;
    const grace =
      member.leaves === undefined
        ? ""
        : ` (in grace until ${member.leaves}: leave them out in for, or add the name to offboarding.removeNow)`;
    return objects.flatMap((object, at) =>
      problemsOf(object, objects.slice(0, at), member).map(
        (problem): Problem => ({
          index: object.index,
          member: member.name,
          message: `${titleOf(object, settings)}: ${problem}`,
          grace,
        }),
      ),
    );
  });
  const alike = Map.groupBy(problems, ({ index, message, grace }) => `${index} ${message}${grace}`);
  return [...alike.values()].flatMap(([first, ...others]): RawMistake[] => {
    if (first === undefined) {
      return [];
    }
    const whose = others.length === 0 ? "" : `${others.length + 1} members, such as `;
    const entry = ["objects", first.index];
    const path = [...entry, valueAt(raw, [...entry, "file"]) === undefined ? "copy" : "file"];
    return [valueMistake(path, valueAt(raw, path), `${first.message} (${whose}'${first.member}')${first.grace}`)];
  });
}

function problemsOf(object: GivenObject, earlier: readonly GivenObject[], member: Member): string[] {
  const same = earlier.find(({ kind, name }) => kind === object.kind && name === object.name);
  const isLacking =
    member.route === undefined && textsIn(object).some(({ text }) => placeholdersIn(text).includes("url"));
  return [
    ...nameProblems(object, member),
    ...(same === undefined
      ? []
      : [`is in objects[${same.index}] already for the same member; rename one, or give them to different members`]),
    ...(isLacking
      ? [`has \${url}, and the member has no path; leave out such members in for, or the placeholder`]
      : []),
    ...contentProblems(object, member).map(({ field, message }) => `${field}: ${message}`),
  ];
}

/** Kind and name as in the file. */
function titleOf({ kind, index, at }: GivenObject, { objects = [] }: Settings): string {
  const manifest = objects.find((entry) => entry.index === index)?.manifests[at];
  return `${manifestKind(kind)} '${manifest?.name ?? ""}'`;
}

/** Kubernetes puts one of this name into every namespace. */
const rootCa = "kube-root-ca.crt";

/** Names of most kinds: labels with dots between them. */
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Reasons why an object can't have its name. */
function nameProblems({ kind, name }: GivenObject, member: Member): string[] {
  const own =
    homeNames.some((each) => each.kind === kind && each.name === name) ||
    (kind === "Service" && name === serviceName(member)) ||
    ((kind === "ConfigMap" || kind === "Secret") && (member.buckets ?? []).some((bucket) => bucket.name === name));
  const isNames = kind === "Service" ? /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/ : subdomain;
  // A CronJob's Jobs have its name and eleven characters more, in a label.
  const most = kind === "CronJob" ? 52 : 253;
  return [
    ...(isNames.test(name)
      ? []
      : [
          `metadata.name: '${name}' can't be the name of a ${manifestKind(kind)}: a-z, 0-9 and '-', starting with a letter`,
        ]),
    ...(name.length <= most
      ? []
      : [
          `metadata.name: '${name}' has ${name.length} characters; the name of a ${manifestKind(kind)} has ${most} at most`,
        ]),
    ...(own ? [`metadata.name: kubecamp itself creates a ${kind} '${name}'; choose another name`] : []),
    ...(kind === "ConfigMap" && name === rootCa
      ? [`metadata.name: Kubernetes itself creates a ConfigMap '${rootCa}'; choose another name`]
      : []),
  ];
}
