import type { Member } from "../config/member/member.ts";
import { appliedAnnotation, memberLabels, stackLabel, stackLabels, vetoAnnotation } from "../config/names/labels.ts";
import { namespaceName } from "../config/names/names.ts";
import type { Settings } from "../config/settings.ts";
import { goneAtOnce } from "./deletion.ts";
import { annotation, type Fields, label, ownAnnotations } from "./field.ts";

type Texts = Readonly<Record<string, string>>;

/** Differences from what most objects of a member have. */
interface Further {
  /** Default: the member's. */
  readonly namespace?: string;
  readonly labels?: Texts;
  readonly annotations?: Texts;
}

/** Metadata of a member's object, with what every such object has. */
export const metadataOf = (
  name: string,
  member: Member,
  settings: Pick<Settings, "stack">,
  { namespace = namespaceName(member), labels, annotations }: Further = {},
) => ({
  name,
  namespace,
  labels: { ...memberLabels(member, settings), ...labels },
  annotations: { ...goneAtOnce, ...annotations },
});

/** Metadata of an object that members share. */
export const sharedMetadata = (name: string, settings: Pick<Settings, "stack">) => ({
  name,
  labels: stackLabels(settings),
  annotations: goneAtOnce,
});

/** Fields of objects of every kind. */
export const fieldsOfAll: Fields = {
  [annotation(Object.keys(goneAtOnce).join())]: { what: "how it is deleted" },
  [label(stackLabel)]: { what: "stack" },
  ...ownAnnotations(appliedAnnotation, vetoAnnotation),
};
