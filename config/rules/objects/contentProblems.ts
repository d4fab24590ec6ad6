import { isMap } from "../../model/maps.ts";
import { givenEntry } from "../../model/members/givenKinds.ts";
import type { Manifest, Member } from "../../model/members/member.ts";
import type { MemberType } from "../../model/members/memberTypes.ts";
import { pathText, valueAt } from "../../sources/mistakes.ts";
import { imageFilter, imageRules } from "../imageRules.ts";

/** A field of an object that its member may not be given. */
interface ContentProblem {
  /** Such as `spec.template.spec.nodeName`. */
  readonly field: string;
  readonly message: string;
}

type PodSpec = Readonly<Record<string, unknown>>;

/** Fields of an object that lead out of its member's environment. Pod Security admission itself tells what it refuses. */
export function contentProblems(
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
  return [
    ...(type === "ClusterIP"
      ? []
      : [
          {
            field: "spec.type",
            message: `${String(type)} leads out of the namespace or opens ports of the nodes; set ClusterIP`,
          },
        ]),
    ...(clusterIP === undefined || clusterIP === "None"
      ? []
      : [{ field: "spec.clusterIP", message: "can't be the same for every member; leave it out" }]),
    ...(isMap(selector) && Object.keys(selector).length > 0
      ? []
      : [{ field: "spec.selector", message: "is missing: a Service for members leads to their own pods" }]),
    ...(Array.isArray(ports) && ports.length > 0 ? [] : [{ field: "spec.ports", message: "is missing" }]),
    ...forbidden.map((key) => ({ field: `spec.${key}`, message: "may lead to others; leave it out" })),
  ];
}

/** Fields of a pod's spec that contradict the settings of its member's type. */
function confinementProblems(spec: PodSpec, at: string, type: MemberType): ContentProblem[] {
  const { priorityClassName, runtimeClassName } = spec;
  const { priorityClasses, runtimeClasses } = type;
  return [
    ...(priorityClassName === undefined || priorityClasses.includes(String(priorityClassName))
      ? []
      : [{ field: `${at}.priorityClassName`, message: `is not allowed for type '${type.name}' (priorityClasses)` }]),
    ...(runtimeClassName === undefined || (runtimeClasses?.allowed.includes(String(runtimeClassName)) ?? true)
      ? []
      : [{ field: `${at}.runtimeClassName`, message: `is not allowed for type '${type.name}' (runtimeClasses)` }]),
    ...(spec.nodeName === undefined
      ? []
      : [{ field: `${at}.nodeName`, message: "bypasses the scheduler; use nodeSelector" }]),
  ];
}

/** All containers of a pod, with their places. */
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
    typeof image !== "string" || isAllowed(image)
      ? []
      : [
          {
            field: `${place}.image`,
            message: `'${image}' is not among the member's images (${(images ?? []).join(", ")})`,
          },
        ],
  );
}
