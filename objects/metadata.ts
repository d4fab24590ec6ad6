import type { Member } from "../config/member/member.ts";
import { appliedAnnotation, memberLabels, stackLabel, stackLabels, vetoAnnotation } from "../config/names/labels.ts";
import { namespaceName } from "../config/names/names.ts";
import type { Settings } from "../config/settings.ts";
import type { Declared } from "./declared.ts";
import { goneAtOnce } from "./deletion.ts";
import { annotation, type Fields, label, ownAnnotations } from "./field.ts";

export const metadataOf = (
  name: string,
  member: Member,
  settings: Pick<Settings, "stack">,
  { namespace = namespaceName(member), labels, annotations }: Partial<Omit<Declared["metadata"], "name">> = {},
) => ({
  name,
  namespace,
  labels: { ...memberLabels(member, settings), ...labels },
  annotations: { ...goneAtOnce, ...annotations },
});

export const sharedMetadata = (name: string, settings: Pick<Settings, "stack">) => ({
  name,
  labels: stackLabels(settings),
  annotations: goneAtOnce,
});

export const fieldsOfAll: Fields = {
  [annotation(Object.keys(goneAtOnce).join())]: { what: "how it is deleted" },
  [label(stackLabel)]: { what: "stack" },
  ...ownAnnotations(appliedAnnotation, vetoAnnotation),
};
