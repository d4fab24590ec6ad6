import { isGivenKind } from "../../../config/model/givenKinds.ts";
import type { GivenObject } from "../../../config/model/settings.ts";
import { contentProblems } from "../../../config/rules/objects/contentProblems.ts";
import { objectLabel } from "../../../naming/labels.ts";
import { namespaceName } from "../../../naming/names.ts";
import { broken } from "../invariants.ts";
import type { GateObject, Judge } from "../object.ts";

/** What the settings give the member under an object's kind and name; undefined for kubecamp's own objects. */
export const givenOf = ({ kind, name, namespace, member }: GateObject): GivenObject | undefined =>
  member === undefined || namespace !== namespaceName(member)
    ? undefined
    : member.objects?.find((object) => object.kind === kind && object.name === name);

/** Judged as it is registered, whatever the settings' own check has found. */
export const givenObjects: Judge = (object) => {
  const { kind, labels, args: content, member } = object;
  const given = givenOf(object);
  if (given === undefined) {
    return labels[objectLabel] === undefined
      ? []
      : [broken("given-objects", `metadata.labels['${objectLabel}']`, "is on an object that no setting gives them")];
  }
  return [
    ...(labels[objectLabel] === "true"
      ? []
      : [
          broken(
            "given-objects",
            `metadata.labels['${objectLabel}']`,
            "is missing, so that nothing keeps members from it",
          ),
        ]),
    ...(member === undefined || !isGivenKind(kind)
      ? []
      : contentProblems({ kind, content }, member).map(({ field, message }) =>
          broken("given-objects", field, message),
        )),
  ];
};
