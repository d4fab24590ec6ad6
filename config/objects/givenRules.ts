import { imageFilter, imageRules } from "../images.ts";
import type { Member } from "../member/member.ts";
import type { MemberType } from "../member/types.ts";
import { manifestKind } from "../names/customKinds.ts";
import { homeNames, serviceName } from "../names/names.ts";
import type { Rule } from "../rule.ts";
import type { Settings } from "../settings.ts";
import { isMap, when } from "../values/maps.ts";
import { pathText, valueAt, valueMistake } from "../values/mistakes.ts";
import { placeholdersIn, textsIn } from "../values/placeholders.ts";
import { givenEntry } from "./givenKinds.ts";
import type { GivenObject, Manifest } from "./objects.ts";

type ContentProblem = { readonly field: string; readonly message: string };

type PodSpec = Readonly<Record<string, unknown>>;

/**
 * Mistakes in members' objects after placeholders are filled in: names, two objects of one name, and unsafe fields. Each is
 * reported once, with one of the members.
 */
export const givenRule: Rule = ({ members, leavers, raw, settings }) => {
  const problems = [...leavers, ...members].flatMap((member) => {
    const { objects = [], leaves } = member;
    const grace =
      leaves === undefined
        ? ""
        : ` (in grace until ${leaves}: leave them out in for, or add the name to offboarding.removeNow)`;
    return objects.flatMap((object, at) =>
      problemsOf(object, objects.slice(0, at), member).map((problem) => ({
        index: object.index,
        member: member.name,
        message: `${titleOf(object, settings)}: ${problem}`,
        grace,
      })),
    );
  });
  const alike = Map.groupBy(problems, ({ index, message, grace }) => `${index} ${message}${grace}`);
  return [...alike.values()].flatMap(([first, ...others]) => {
    const whose = others.length === 0 ? "" : `${others.length + 1} members, such as `;
    const entry = ["objects", first?.index ?? 0];
    const path = [...entry, valueAt(raw, [...entry, "file"]) === undefined ? "copy" : "file"];
    return valueMistake(path, valueAt(raw, path), `${first?.message} (${whose}'${first?.member}')${first?.grace}`);
  });
};

function problemsOf(object: GivenObject, earlier: readonly GivenObject[], member: Member): string[] {
  const same = earlier.find(({ kind, name }) => kind === object.kind && name === object.name);
  const isLacking =
    member.route === undefined && textsIn(object).some(({ text }) => placeholdersIn(text).includes("url"));
  return [
    ...nameProblems(object, member),
    ...when(
      same !== undefined,
      `is in objects[${same?.index}] already for the same member; rename one, or give them to different members`,
    ),
    ...when(isLacking, `has \${url}, and the member has no path; leave out such members in for, or the placeholder`),
    ...contentProblems(object, member).map(({ field, message }) => `${field}: ${message}`),
  ];
}

function titleOf({ kind, index, at }: GivenObject, { objects = [] }: Settings): string {
  const manifest = objects.find((entry) => entry.index === index)?.manifests[at];
  return `${manifestKind(kind)} '${manifest?.name ?? ""}'`;
}

/** Kubernetes puts one of this name into every namespace. */
const rootCa = "kube-root-ca.crt";

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function nameProblems({ kind, name }: GivenObject, member: Member): string[] {
  const own =
    homeNames.some((each) => each.kind === kind && each.name === name) ||
    (kind === "Service" && name === serviceName(member)) ||
    ((kind === "ConfigMap" || kind === "Secret") && (member.buckets ?? []).some((bucket) => bucket.name === name));
  const isNames = kind === "Service" ? /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/ : subdomain;
  // A CronJob's Jobs have its name and eleven characters more, in a label.
  const most = kind === "CronJob" ? 52 : 253;
  return [
    ...when(
      !isNames.test(name),
      `metadata.name: '${name}' can't be the name of a ${manifestKind(kind)}: a-z, 0-9 and '-', starting with a letter`,
    ),
    ...when(
      name.length > most,
      `metadata.name: '${name}' has ${name.length} characters; the name of a ${manifestKind(kind)} has ${most} at most`,
    ),
    ...when(own, `metadata.name: kubecamp itself has a ${kind} '${name}'; choose another name`),
    ...when(
      kind === "ConfigMap" && name === rootCa,
      `metadata.name: Kubernetes itself creates a ConfigMap '${rootCa}'; choose another name`,
    ),
  ];
}

/** Fields of an object that lead out of its member's environment. Pod Security admission itself tells what it refuses. */
function contentProblems(
  { kind, content }: Pick<Manifest, "kind" | "content">,
  member: Pick<Member, "type" | "images">,
): ContentProblem[] {
  if (kind === "Service") {
    return serviceProblems(content.spec);
  }
  // The fields of a custom kind have no known meaning: the settings allow it as a whole.
  const { pods: path } = givenEntry(kind);
  if (path === undefined) {
    return [];
  }
  const at = path.join(".");
  const spec = valueAt(content, path);
  return isMap(spec)
    ? [...confinementProblems(spec, at, member.type), ...imageProblems(spec, at, member.images)]
    : [{ field: at, message: "is missing" }];
}

/** As members' own Services: within the cluster, to their own pods. */
function serviceProblems(spec: unknown): ContentProblem[] {
  const { type = "ClusterIP", clusterIP, selector, ports, ...others } = isMap(spec) ? spec : {};
  const forbidden = ["externalName", "externalIPs", "loadBalancerIP", "clusterIPs"].filter((key) => key in others);
  const open = `${String(type)} leads out of the namespace or opens ports of the nodes; set ClusterIP`;
  return [
    ...when(type !== "ClusterIP", { field: "spec.type", message: open }),
    ...when(clusterIP !== undefined && clusterIP !== "None", {
      field: "spec.clusterIP",
      message: "can't be the same for every member; leave it out",
    }),
    ...when(!isMap(selector) || Object.keys(selector).length === 0, {
      field: "spec.selector",
      message: "is missing: a Service for members leads to their own pods",
    }),
    ...when(!Array.isArray(ports) || ports.length === 0, { field: "spec.ports", message: "is missing" }),
    ...forbidden.map((key) => ({ field: `spec.${key}`, message: "may lead to others; leave it out" })),
  ];
}

/** Fields of a pod's spec that contradict the settings of its member's type. */
function confinementProblems(spec: PodSpec, at: string, type: MemberType): ContentProblem[] {
  const { priorityClassName, runtimeClassName } = spec;
  const { priorityClasses, runtimeClasses } = type;
  const isPriority = priorityClassName === undefined || priorityClasses.includes(String(priorityClassName));
  const isRuntime =
    runtimeClassName === undefined || runtimeClasses?.allowed.includes(String(runtimeClassName)) !== false;
  return [
    ...when(!isPriority, {
      field: `${at}.priorityClassName`,
      message: `is not allowed for type '${type.name}' (priorityClasses)`,
    }),
    ...when(!isRuntime, {
      field: `${at}.runtimeClassName`,
      message: `is not allowed for type '${type.name}' (runtimeClasses)`,
    }),
    ...when(spec.nodeName !== undefined, {
      field: `${at}.nodeName`,
      message: "bypasses the scheduler; use nodeSelector",
    }),
  ];
}

const containersIn = (spec: PodSpec, at: string) =>
  ["initContainers", "containers", "ephemeralContainers"].flatMap((list) => {
    const containers = spec[list];
    return (Array.isArray(containers) ? containers : []).map((container: unknown, index) => ({
      at: `${at}.${pathText([list, index])}`,
      container: isMap(container) ? container : {},
    }));
  });

function imageProblems(spec: PodSpec, at: string, images: readonly string[] | undefined): ContentProblem[] {
  const rules = images && imageRules(images);
  const isAllowed = rules === undefined ? () => true : imageFilter(rules);
  return containersIn(spec, at).flatMap(({ at: place, container: { image } }) =>
    when(typeof image === "string" && !isAllowed(image), {
      field: `${place}.image`,
      message: `'${image}' is not among the member's images (${(images ?? []).join(", ")})`,
    }),
  );
}
