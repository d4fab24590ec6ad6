import { resourceOf } from "../../cluster/kinds/kinds.ts";
import { objectLabel, ourPrefix, starterAnnotation } from "../../config/names/labels.ts";
import { homeNames } from "../../config/names/names.ts";
import { signatureKey, unknowns } from "../../config/names/pulumiMarks.ts";
import type { Settings } from "../../config/settings.ts";
import { admissionPolicy, celText, isController, isPlatform, type JudgedRequests } from "./admissionPolicy.ts";
import { fewEnough, ifFew, type Side } from "./fewEnough.ts";
import { givenObjects, resourceOfRequest } from "./givenObjects.ts";
import { actingIn, podAnnotationsOf } from "./podAnnotations.ts";
import { podSpecRequests } from "./podSpecs.ts";

const operations = ["CREATE", "UPDATE", "DELETE"] as const;

/** Kinds that both members and runs write at home. Not Services, which are the members': a run corrects unfit ones. */
const requests: readonly JudgedRequests[] = [
  { apiGroups: [""], resources: ["configmaps", "secrets"], operations },
  { apiGroups: ["apps"], resources: ["deployments"], operations },
];

/** CEL: whether only a run may use the name for that kind. */
const reserved = (resource: string) =>
  homeNames
    .filter(({ isReserved }) => isReserved)
    .map(({ kind, name }) => `${resource} == '${resourceOf(kind)}' && variables.name == '${name}'`)
    .join(" || ");

/** CEL: a managed Service is the member's, who may add ports. */
const notServices = (resource: string) => `${resource} != 'services'`;

const manager = "app.kubernetes.io/managed-by";

/**
 * Lets only the platform write the objects that a run keeps in a member's namespace: those that say how to reach buckets,
 * the CA for a Gateway, and a `kept` starter app, except its number of pods. A member's version could be immutable or leave
 * no room, and then fail the run for everybody. So it does for the objects that members are given. It also keeps others
 * from using kubecamp's own labels and annotations, by which a run would take their objects for its own, and the key by which
 * Pulumi would take all of them for something else, and the annotations by which pods steer the cluster's network plugin or
 * autoscaler. A `once` starter
 * app is the member's, and so is what they are given with `theirs`. Controllers may, which are Kubernetes' own and
 * ServiceAccounts of other namespaces: pods that they make have a template's annotations, and that was judged.
 */
export function reservedPolicy(settings: Settings) {
  const given = settings.objects === undefined ? undefined : givenObjects(settings);
  const resource = given === undefined ? "request.resource.resource" : resourceOfRequest(settings);
  const subject = `request.kind.kind + " '" + variables.name + "' "`;
  const ask = (what: string) => celText(`: ${what}, or ask ${settings.contact}`);
  const usual = ask("call yours otherwise");
  // A member can't rename a given object.
  const advice =
    given === undefined ? usual : `(variables.isGiven && oldObject != null ? (${given.advice}) : ${usual})`;
  const wish = celText(`: ask ${settings.contact} for 'starter: once' or 'starter: off' to have your own`);
  const few = fewEnough(
    { what: "labels, annotations and claim templates", itemsOf, unless: "variables.isFree", name: "variables.name" },
    settings,
  );
  const content = {
    requests: [...requests, ...podSpecRequests, ...(given?.requests ?? [])],
    variables: {
      name: "oldObject == null ? object.metadata.?name.orValue('') : oldObject.metadata.?name.orValue('')",
      starter: `oldObject == null ? '' : string(oldObject.metadata.?annotations[?'${starterAnnotation}'].orValue(''))`,
      ...given?.variables,
      isKept: `${given === undefined ? "" : `${notServices(resource)} && `}oldObject != null && oldObject.metadata.?labels[?'${manager}'].orValue('') == 'kubecamp'
        && variables.starter != 'once' && oldObject.metadata.?labels[?'${objectLabel}'].orValue('') != 'theirs'`,
      isReserved: given === undefined ? reserved(resource) : `${reserved(resource)} || variables.isGiven`,
      ...few.variables,
      before: `oldObject == null ? [] : ${ifFew(marksOf("oldObject"), "oldObject")}`,
      // Former labels and annotations may stay, or be removed.
      added: `(object == null ? [] : ${ifFew(marksOf("object"))}).filter(mark, !(mark in variables.before))`,
      marked: markedMaps,
      steering: podAnnotationsOf("object"),
      steeringBefore: podAnnotationsOf("oldObject"),
      actingBefore: ifFew(actingIn("variables.steeringBefore"), "oldObject"),
      acting: `${ifFew(actingIn("variables.steering"))}.filter(mark, !(mark in variables.actingBefore))`,
      isUnreadable,
      isController,
      isPlatform,
      isFree: "variables.isController || variables.isPlatform",
    },
    validations: [
      {
        expression: "!(variables.isKept || variables.isReserved) || variables.isFree",
        messageExpression: `${subject} + "belongs to the platform, and only the platform can create, change or delete it"
          + (variables.starter == '' ? ${advice} : ${wish})`,
      },
      {
        expression: "variables.added.size() == 0 || variables.isFree",
        messageExpression: `${subject} + "has '" + variables.added[0] + "', which only the platform may set"
          + ${ask("leave it out")}`,
      },
      {
        expression: `!(variables.isUnreadable || variables.marked.exists(map, '${signatureKey}' in map)) || variables.isFree`,
        messageExpression: `${subject} + "has the key ${signatureKey}, or a type, that the platform's tools can't read"
          + ${ask("leave it out")}`,
      },
      {
        expression: "variables.acting.size() == 0 || variables.isFree",
        messageExpression: `${subject} + "has the annotation '" + variables.acting[0] + "', by which its pods would choose their network or keep their node"
          + ${ask("leave it out")}`,
      },
      few.validation,
      ...(given?.validations ?? []),
    ],
  };
  return admissionPolicy("reserved", content, settings);
}

/** CEL: a StatefulSet's claim templates; a custom kind may have something else there. */
const claimsOf = (object: Side) =>
  `(request.resource.group == 'apps' ? dyn(${object}).?spec.?volumeClaimTemplates.orValue([]) : [])`;

const itemsOf = (object: Side) => [
  ...["labels", "annotations"].map((field) => ({ list: `${object}.metadata.?${field}.orValue({})` })),
  { list: `(${object}.kind == 'Pod' ? dyn({}) : ${podAnnotationsOf(object)})` },
  { list: claimsOf(object) },
];

/**
 * CEL: maps that take any text, besides labels and annotations. Pulumi takes one with this key for a file's content, say, and
 * reads that file on the machine of the run. A run leaves out whatever else has the key (`hasMarks`).
 */
const markedMaps = `object == null ? []
  : request.resource.group == '' ? ['data', 'binaryData'].map(field, dyn(object)[?field].orValue({}))
  : !(request.resource.group in ['apps', 'batch']) ? []
  : ([dyn(object).spec.?template, dyn(object).spec.?jobTemplate, dyn(object).spec.?jobTemplate.?spec.?template]
    + ${ifFew(claimsOf("object"))}.map(claim, optional.of(claim))).map(template,
    template.?metadata.?annotations.orValue({}))`;

/** CEL: whether it is a Secret of such a type, of which runs read no content. */
const isUnreadable = `object != null && request.resource.resource == 'secrets'
  && dyn(object).?type.orValue('') in [${unknowns.map((text) => `'${text}'`).join(", ")}]`;

/** CEL: an object's labels and annotations that only a run writes, with their values. */
function marksOf(object: Side): string {
  const own = (field: string, condition: string) =>
    `${object}.metadata.?${field}.orValue({}).filter(key, ${condition})
      .map(key, key + '=' + ${object}.metadata.${field}[key])`;
  const isOurs = `(key.startsWith('${ourPrefix}') || key == '${signatureKey}')`;
  const isManaged = `(key == '${manager}' && ${object}.metadata.labels[key] == 'kubecamp')`;
  return `(${own("labels", `${isOurs} || ${isManaged}`)} + ${own("annotations", isOurs)})`;
}
