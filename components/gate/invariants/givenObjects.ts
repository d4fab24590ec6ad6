import { isCustomKind, titledKind } from "../../../config/model/members/customKinds.ts";
import { isGivenKind } from "../../../config/model/members/givenKinds.ts";
import type { GivenObject } from "../../../config/model/members/givenObjects.ts";
import type { Member } from "../../../config/model/members/member.ts";
import { contentProblems } from "../../../config/rules/objects/contentProblems.ts";
import { objectLabel } from "../../../naming/labels.ts";
import { homeNames, namespaceName, serviceName } from "../../../naming/names.ts";
import { broken } from "../invariants.ts";
import type { GateObject, Judge } from "../object.ts";

/** The entry of `objects` that an object comes from; undefined for kubecamp's own objects. */
export const givenOf = ({ kind, name, namespace, member }: GateObject): GivenObject | undefined =>
  member === undefined || namespace !== namespaceName(member)
    ? undefined
    : member.objects?.find((object) => titledKind(object.kind) === kind && object.name === name);

/** Whether kubecamp makes an object of this name at home itself: for a route, a bucket or a starter app. */
const isOwn = ({ kind, name }: GateObject, member: Member): boolean =>
  (kind === "Service" && name === serviceName(member)) ||
  homeNames.some((each) => each.kind === kind && each.name === name) ||
  (kind === "ConfigMap" && (member.buckets ?? []).some((bucket) => bucket.name === name));

/** Invariants of given kinds. `own-places` judges the name of a Secret. */
const isJudgedByName = (kind: string) => (isGivenKind(kind) && kind !== "Secret") || isCustomKind(kind);

/** Judged as it is registered, whatever the settings' own check has found. */
export const givenObjects: Judge = (object) => {
  const { kind, name, namespace, labels, args: content, member } = object;
  const given = givenOf(object);
  if (given === undefined) {
    return [
      ...(labels[objectLabel] === undefined
        ? []
        : [broken("given-objects", `metadata.labels['${objectLabel}']`, "is on an object that no setting gives them")]),
      ...(member === undefined || !isJudgedByName(kind) || namespace !== namespaceName(member) || isOwn(object, member)
        ? []
        : [broken("given-objects", "metadata.name", `'${name}' is a ${kind} that no setting gives them`)]),
    ];
  }
  return [
    ...(labels[objectLabel] === (given.isTheirs ? "theirs" : "true")
      ? []
      : [
          broken(
            "given-objects",
            `metadata.labels['${objectLabel}']`,
            given.isTheirs
              ? "does not say that it is the member's own"
              : "is missing, so that nothing keeps members from it",
          ),
        ]),
    ...(member === undefined || !isGivenKind(kind)
      ? []
      : contentProblems({ kind, content }, member).map(({ field, message }) =>
          broken("given-objects", field, message),
        )),
  ];
};
