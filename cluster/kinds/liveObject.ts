import type { V1ObjectMeta } from "@kubernetes/client-node";
import type { StackKind } from "./stackKinds.ts";

/** An object as the API server gives it. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: StackKind;
  readonly metadata: V1ObjectMeta & { readonly name: string };
  readonly [field: string]: unknown;
}

/** An object of a stack, with what a run calls it. */
export interface NamedObject {
  readonly live: ApiObject;
  /** Whose it is; undefined for what members share. */
  readonly member: string | undefined;
  /** Such as `namespace` and `binding/edit` of a member, and `access/view` of all. */
  readonly part: string;
  /** Fields that a run leaves as they stand, whatever it says of them. Default: none. */
  readonly left?: readonly string[];
}

/** The name that a run registers it under, such as `bob/namespace`. */
export const logicalName = ({ member, part }: Pick<NamedObject, "member" | "part">) =>
  member === undefined ? part : `${member}/${part}`;

/** What messages call it, such as `Ingress ingress-nginx/bob`. */
export const objectTitle = ({ kind, metadata: { name, namespace } }: ApiObject) =>
  namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
