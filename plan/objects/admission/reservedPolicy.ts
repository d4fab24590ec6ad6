import { resourceOf } from "../../../cluster/kinds/kinds.ts";
import type { Settings } from "../../../config/model/settings.ts";
import { ourPrefix, starterAnnotation } from "../../../naming/labels.ts";
import { homeNames } from "../../../naming/names.ts";
import { admissionPolicy, celText, isController, isPlatform, type JudgedRequests } from "./admissionPolicy.ts";

const operations = ["CREATE", "UPDATE", "DELETE"] as const;

/** Kinds of which members write what they like at home, and runs write too. Services are theirs: a run mends what is unfit. */
const requests: readonly JudgedRequests[] = [
  { apiGroups: [""], resources: ["configmaps", "secrets"], operations },
  { apiGroups: ["apps"], resources: ["deployments"], operations },
];

/** CEL: whether it has a name that is a run's alone, in whatever kind that is. */
const reserved = homeNames
  .filter(({ isReserved }) => isReserved)
  .map(({ kind, name }) => `request.resource.resource == '${resourceOf(kind)}' && variables.name == '${name}'`)
  .join(" || ");

const manager = "app.kubernetes.io/managed-by";

/**
 * What a run keeps in a member's namespace, only the platform writes: what says how their buckets are reached, the CA that a
 * Gateway needs there, and a starter app that is kept, but for how many pods that has. A member who could would have a run
 * fail that writes the same, for everybody: by what can't be changed, or leaves no room. And nobody else puts kubecamp's own
 * labels and annotations on what they make, which a run would take for its own. What was made `once` is the member's.
 * Controllers are free, which are Kubernetes' own and ServiceAccounts of other namespaces.
 */
export function reservedPolicy(settings: Settings) {
  const subject = `request.kind.kind + " '" + variables.name + "' "`;
  const ask = (what: string) => celText(`: ${what}, or ask ${settings.contact}`);
  const wish = celText(`: ask ${settings.contact} for 'starter: once' or 'starter: off' to have your own`);
  const content = {
    requests,
    variables: {
      name: "oldObject == null ? object.metadata.?name.orValue('') : oldObject.metadata.?name.orValue('')",
      starter: `oldObject == null ? '' : string(oldObject.metadata.?annotations[?'${starterAnnotation}'].orValue(''))`,
      isKept: `oldObject != null && oldObject.metadata.?labels[?'${manager}'].orValue('') == 'kubecamp'
        && variables.starter != 'once'`,
      isCa: reserved,
      before: `oldObject == null ? [] : ${marksOf("oldObject")}`,
      // What was there before may stay, and may go.
      added: `(object == null ? [] : ${marksOf("object")}).filter(mark, !(mark in variables.before))`,
      isController,
      isPlatform,
      isFree: "variables.isController || variables.isPlatform",
    },
    validations: [
      {
        expression: "!(variables.isKept || variables.isCa) || variables.isFree",
        messageExpression: `${subject} + "is the platform's, which alone makes, changes and deletes it"
          + (variables.starter == '' ? ${ask("call yours otherwise")} : ${wish})`,
      },
      {
        expression: "variables.added.size() == 0 || variables.isFree",
        messageExpression: `${subject} + "has '" + variables.added[0] + "', by which the platform knows what it has made"
          + ${ask("leave it out")}`,
      },
    ],
  };
  return admissionPolicy("reserved", content, settings);
}

/** CEL: an object's labels and annotations that only a run writes, each with its value. */
function marksOf(object: "object" | "oldObject"): string {
  const own = (field: string, condition: string) =>
    `${object}.metadata.?${field}.orValue({}).filter(key, ${condition})
      .map(key, key + '=' + ${object}.metadata.${field}[key])`;
  const isOurs = `key.startsWith('${ourPrefix}')`;
  const isManaged = `(key == '${manager}' && ${object}.metadata.labels[key] == 'kubecamp')`;
  return `${own("labels", `${isOurs} || ${isManaged}`)} + ${own("annotations", isOurs)}`;
}
