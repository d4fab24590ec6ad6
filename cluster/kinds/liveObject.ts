import type { V1ObjectMeta } from "@kubernetes/client-node";
import type { StackKind } from "./stackKinds.ts";

export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: StackKind;
  readonly metadata: V1ObjectMeta & { readonly name: string };
  readonly [field: string]: unknown;
}

/** An object of a stack, with its logical name. */
interface NamedObject {
  readonly live: ApiObject;
  /** Name of the member that it belongs to; undefined for a shared object. */
  readonly member: string | undefined;
  /** Such as `namespace` or `binding/edit` of a member, or the shared `access/view`. */
  readonly part: string;
  /** Fields that a run leaves unchanged, even if it declares them. Default: none. */
  readonly ignored?: readonly string[];
}

/** Logical name in a run, such as `bob/namespace`. */
export const logicalName = ({ member, part }: Pick<NamedObject, "member" | "part">) =>
  member === undefined ? part : `${member}/${part}`;
