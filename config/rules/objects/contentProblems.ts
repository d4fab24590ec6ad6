import { isMap } from "../../model/maps.ts";
import { givenEntry } from "../../model/members/givenKinds.ts";
import type { Manifest } from "../../model/members/givenObjects.ts";
import type { Member } from "../../model/members/member.ts";
import { valueAt } from "../../sources/mistakes.ts";
import { imageFilter, imageRules } from "../imageRules.ts";
import { confinementProblems } from "./confinementProblems.ts";
import { type ContentProblem, containersIn } from "./podParts.ts";
import { podSecurityProblems } from "./podSecurity.ts";

/** Fields of an object that lead out of its member's environment. The policy gate uses the same rules. */
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
    ? [
        ...podSecurityProblems(spec, at, member.type.podSecurity),
        ...confinementProblems(spec, at, member.type),
        ...imageProblems(spec, at, member.images),
      ]
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

function imageProblems(
  spec: Readonly<Record<string, unknown>>,
  at: string,
  images: readonly string[] | undefined,
): ContentProblem[] {
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
