import type { V1ObjectMeta } from "@kubernetes/client-node";
import type { StackKind } from "./stackKinds.ts";

export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: StackKind;
  readonly metadata: V1ObjectMeta & { readonly name: string };
  readonly [field: string]: unknown;
}

interface Named {
  /** Undefined for a shared object. */
  readonly member: string | undefined;
  /** Such as `namespace` or `binding/edit` of a member, or the shared `access/view`. */
  readonly part: string;
}

/** Logical name in a run, such as `bob/namespace`. */
export const logicalName = ({ member, part }: Named) => (member === undefined ? part : `${member}/${part}`);
