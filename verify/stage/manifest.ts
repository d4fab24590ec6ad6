import type { KubernetesObject } from "@kubernetes/client-node";
import { keyOf } from "../../cluster/kinds/objectName.ts";
import type { Member } from "../../config/member/member.ts";
import {
  memberLabel,
  stackLabel,
  stackLabels,
  verifyLabel,
  verifyOutsideAnnotation,
  verifyRunAnnotation,
  verifyUntilAnnotation,
} from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { isRead, memberObjects } from "../../plan/rows/manifest.ts";
import type { ReadObject } from "../../plan/rows/row.ts";

/** What stands for a member of a verification: the same objects as everybody's, and those of an open path. */
export interface StageObjects {
  /** In the order in which they are made, the namespace first. */
  readonly base: readonly ReadObject[];
  readonly route: readonly ReadObject[];
}

export function objectsOf(member: Member, settings: Settings): StageObjects {
  const { base, route } = memberObjects({ member, settings });
  return { base: base.filter(isRead), route };
}

/** Those that go by themselves with no namespace of the member's. */
export const outsideOf = ({ base, route }: StageObjects, member: Member): readonly ReadObject[] =>
  [...base, ...route].filter(({ namespace, kind }) => kind !== "Namespace" && namespace !== namespaceName(member));

/**
 * An object as it is sent: without the labels by which lists, boards, budgets and runs know members. The namespace keeps the
 * stack's, by which admission policies judge it.
 */
export function sent(
  { apiVersion, kind, args }: ReadObject,
  { stack }: Pick<Settings, "stack">,
  annotations: Readonly<Record<string, string>> = {},
): KubernetesObject {
  const { metadata, ...content } = args;
  const ours = new Set([...Object.keys(stackLabels({ stack })), memberLabel]);
  const kept = Object.entries(metadata.labels).filter(([name]) => !ours.has(name));
  const labels = { ...Object.fromEntries(kept), [verifyLabel]: stack };
  return {
    ...content,
    apiVersion,
    kind,
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, ...annotations },
      labels: kind === "Namespace" ? { ...labels, [stackLabel]: stack } : labels,
    },
  };
}

/** Milliseconds for which a namespace is in use after a renewal. */
export const lease = 60_000;

/** What differs between verifications: the user name of the first member. */
export const runOf = ([first]: readonly Pick<Member, "username">[]): string => first?.username ?? "";

export const untilNow = (members: readonly Pick<Member, "username">[]) => ({
  [verifyRunAnnotation]: runOf(members),
  [verifyUntilAnnotation]: new Date(Date.now() + lease).toISOString(),
});

/** Annotations by which whoever finds a namespace knows whose it is, when it is nobody's, and what else to remove. */
export const leaseOf = (member: Member, members: readonly Member[], settings: Settings) => ({
  ...untilNow(members),
  [verifyOutsideAnnotation]: outsideOf(objectsOf(member, settings), member).map(keyOf).join("\n"),
});
