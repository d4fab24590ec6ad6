import { isMap } from "../../config/model/maps.ts";
import type { GivenObject, Member, Settings } from "../../config/model/settings.ts";
import { memberLabels, objectLabel } from "../../naming/labels.ts";
import { namespaceName } from "../../naming/names.ts";
import { goneAtOnce, notAwaited } from "./deletion.ts";

/** An object that a member is given: the manifest, as kubecamp's own. */
export function givenObject(object: GivenObject, member: Member, settings: Settings) {
  const { kind, name, labels, annotations, content } = object;
  return {
    metadata: {
      name,
      namespace: namespaceName(member),
      labels: { ...labels, ...memberLabels(member, settings), [objectLabel]: "true" },
      // A pod that can't start concerns one member: nobody else's run should wait for it.
      annotations: { ...annotations, ...goneAtOnce, ...notAwaited },
    },
    ...content,
    // Stated, as admission and the policy gate judge it.
    ...(kind === "Service" && isMap(content.spec) ? { spec: { type: "ClusterIP", ...content.spec } } : {}),
  };
}
