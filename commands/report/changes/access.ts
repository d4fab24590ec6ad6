import { isDeepStrictEqual } from "node:util";
import { staffUntilAnnotation, suspendedSubjectsAnnotation } from "../../../config/names/labels.ts";
import { isStorageType } from "../../../config/names/urns.ts";
import { isMap } from "../../../config/values/maps.ts";
import { onceActive, subjectsOfLines } from "../../../objects/rbac/role.ts";
import { leaseIn, subjectText, subjectTexts } from "../../../objects/rbac/subjects.ts";
import { marksIn } from "../../../objects/shown/values.ts";
import { objectName, type Step } from "../steps.ts";
import { accessOf, nameOfBucket } from "./buckets.ts";

export interface AccessChange {
  /** Empty for shared objects. */
  readonly member: string;
  /** Such as `role 'edit' at home`, or `bucket bob-data`. */
  readonly where: readonly string[];
  /** Such as `oidc:bob`, `group oidc:class-a` or `Allow s3:GetObject to *`. */
  readonly who: readonly string[];
}

/**
 * Subjects who get access through a run: all of a new binding, new ones of a binding that changes or that a suspended
 * member is to have later, and all but the member of a bucket that is new or changes access. Staying members come
 * first, since there are few of them.
 */
export function accessChanges(steps: readonly Step[], joining: ReadonlySet<string>): AccessChange[] {
  const ordered = steps.toSorted((a, b) => order(a, joining) - order(b, joining) || (name(a) < name(b) ? -1 : 1));
  const all = ordered.flatMap((step): AccessChange[] => {
    const [where, who] = accessBy(step, steps);
    return who.length === 0 ? [] : [{ member: step.member ?? "", where: [where], who }];
  });
  const alike = Map.groupBy(all, ({ member, who }) => JSON.stringify([member, who]));
  return [...alike.values()].flatMap(([first, ...rest]): AccessChange[] =>
    first === undefined ? [] : [{ ...first, where: [first, ...rest].flatMap(({ where }) => where) }],
  );
}

function accessBy(step: Step, all: readonly Step[]): [where: string, who: string[]] {
  if (isBinding(step)) {
    return [bindingText(step), subjectsIn(step)];
  }
  return step.kind === "Role" ? [`${bindingText(step)}, ${onceActive}`, laterSubjectsIn(step, all)] : bucketText(step);
}

const order = ({ member }: Step, joining: ReadonlySet<string>) => Number(joining.has(member ?? ""));

/** Sorts the binding at home before the role elsewhere, and both before buckets. */
const name = ({ member = "", kind, part }: Step) =>
  `${member} ${["RoleBinding", "ClusterRoleBinding"].indexOf(kind) + 1 || 3} ${part}`;

const isOfStaff = ({ part }: Step) => part.startsWith("staff/");
const isBinding = ({ kind }: Step) => kind === "RoleBinding" || kind === "ClusterRoleBinding";

function bindingText(step: Step): string {
  const [place = "", role] = step.part.split("/");
  const home = `role '${role}' at home`;
  const what = {
    ...{ binding: home, role: home },
    ...{ others: `role '${role}' elsewhere`, staff: `staff's role '${role}'` },
  }[place];
  const ofCi = { ci: "role at home, for CI jobs", "ci-token": "tokens for CI jobs" }[step.part];
  if (step.member !== undefined && ofCi !== undefined) {
    return ofCi;
  }
  return step.member === undefined || what === undefined ? objectName(step) : what;
}

/** A new binding admits all its subjects, even those of an old one of that name. */
function subjectsIn({ change, before, after }: Step): string[] {
  const [was, is] = [before, after].map(({ subjects }) => (Array.isArray(subjects) ? (subjects as unknown[]) : []));
  const isNew = (one: unknown) => change !== "changed" || !was?.some((other) => isDeepStrictEqual(one, other));
  const leases = marksIn(after, "annotations")[staffUntilAnnotation];
  return (is ?? []).filter(isNew).map((one) => {
    const { until, reason } = leaseIn(leases, one);
    const lease = until === undefined ? "" : ` (until ${until}${reason === undefined ? "" : `, ${reason}`})`;
    return `${subjectText(one)}${lease}`;
  });
}

/** New subjects of a suspended or expired member's later binding, without those who had access when it ended. */
function laterSubjectsIn({ member, change, before, after }: Step, steps: readonly Step[]): string[] {
  const [was, is] = [before, after].map((inputs) =>
    subjectTexts(subjectsOfLines(marksIn(inputs, "annotations")[suspendedSubjectsAnnotation])),
  );
  const ended = steps.filter(
    (step) => step.member === member && step.kind === "RoleBinding" && step.change === "deleted" && !isOfStaff(step),
  );
  const known = [
    ...(change === "changed" ? (was ?? []) : []),
    ...ended.flatMap((step) => subjectTexts(step.before.subjects)),
  ];
  return (is ?? []).filter((one) => !known.includes(one));
}

function bucketText(step: Step): [string, string[]] {
  const { kind, type, change, before, after } = step;
  const access = (inputs: Step["after"]) => [inputs.acl, inputs.grants, inputs.policy];
  const isSame = change === "changed" && isDeepStrictEqual(access(before), access(after));
  const isBucket = kind === "Bucket" && isStorageType(type);
  return isBucket && !isSame && isMap(after) ? [`bucket ${nameOfBucket(step)}`, accessOf(step)] : ["", []];
}
