import type { CopiedContent } from "../cluster/read/snapshot.ts";
import type { Member } from "../config/member/member.ts";
import { copiedAnnotation, memberLabels, objectLabel } from "../config/names/labels.ts";
import { namespaceName } from "../config/names/names.ts";
import type { GivenObject } from "../config/objects/objects.ts";
import type { Settings } from "../config/settings.ts";
import { isMap } from "../config/values/maps.ts";
import { goneAtOnce, notAwaited } from "./deletion.ts";

/** An object that a member is given: the manifest, as kubecamp's own. @param copied what it is a copy of */
export function givenObject(object: GivenObject, member: Member, settings: Settings, copied?: CopiedContent) {
  const { kind, name, labels, annotations, copyOf } = object;
  const { resourceVersion, ...rest } = copied ?? { resourceVersion: "", ...object.content };
  const content: Readonly<Record<string, unknown>> = rest;
  return {
    metadata: {
      name,
      namespace: namespaceName(member),
      labels: { ...labels, ...memberLabels(member, settings), [objectLabel]: object.isTheirs ? "theirs" : "true" },
      // A pod that can't start concerns one member: nobody else's run should wait for it.
      annotations: {
        ...annotations,
        ...goneAtOnce,
        ...notAwaited,
        ...(copied === undefined ? {} : { [copiedAnnotation]: `${copyOf}/${name}@${resourceVersion}` }),
      },
    },
    ...content,
    // Stated, as admission judges it.
    ...(kind === "Service" && isMap(content.spec) ? { spec: { type: "ClusterIP", ...content.spec } } : {}),
  };
}
