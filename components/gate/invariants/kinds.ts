import { kindIn } from "../../../cluster/kinds/kinds.ts";
import type { Member } from "../../../config/model/members/member.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import {
  accessType,
  bucketType,
  bucketUserType,
  clusterProviderType,
  environmentType,
  storageProviderType,
  typeOf,
} from "../../../naming/urns.ts";
import { broken, type Violation } from "../invariants.ts";
import { type Registration, resourceKey } from "../registration.ts";
import { shown } from "../values.ts";
import { typesOf } from "./places.ts";

const provider = `${clusterProviderType} cluster`;
const storage = `${storageProviderType} storage`;
const shared = `${accessType} access`;

/** Types on the server of buckets, not on the cluster. */
const onServer = [bucketType, bucketUserType];

type Members = ReadonlyMap<string, Member>;

/** Owner of the environment that a resource is part of; undefined for other resources. */
export function environmentMember({ parent }: Pick<Registration, "parent">, members: Members): Member | undefined {
  const [type, name = ""] = parent?.split(" ") ?? [];
  return type === environmentType ? members.get(name) : undefined;
}

/** Reason why the gate can't judge a resource as its kind; undefined if it can. */
export function strangeness(
  registration: Registration,
  members: Members,
  settings: Pick<Settings, "objectKinds">,
): Violation | undefined {
  const { type, name, parent, args, isRead } = registration;
  const key = resourceKey(registration);
  const own = registration.provider;
  const strange = (field: string, message: string) => broken("known-kinds", field, message);
  if (key === provider || key === storage) {
    return undefined;
  }
  if (key === shared || (type === environmentType && members.has(name))) {
    return own === provider ? undefined : strange("provider", "is not the stack's provider for its cluster");
  }
  if (onServer.includes(type)) {
    return strangeOnServer(registration, environmentMember(registration, members));
  }
  const kind = kindIn(args.apiVersion, String(args.kind));
  if (!typesOf(kind, settings).includes(type) || type !== typeOf({ apiVersion: String(args.apiVersion), kind })) {
    return strange("kind", `the gate has no invariants for a ${type} of kind ${shown(args.kind)}: add some`);
  }
  if (isRead) {
    return strange("id", "is read instead of created, so that the gate can't know its values");
  }
  if (own !== undefined && own !== provider) {
    return strange("provider", "is not the stack's provider for its cluster");
  }
  return parent === shared || environmentMember(registration, members) !== undefined
    ? undefined
    : strange("parent", `is ${shown(parent)} instead of a member's environment or the stack's shared component`);
}

/** A bucket or its user must belong to one member, as in the list. */
function strangeOnServer(
  { args, provider: own, isRead, type }: Registration,
  member: Member | undefined,
): Violation | undefined {
  const strange = (field: string, message: string) => broken("known-kinds", field, message);
  if (isRead) {
    return strange("id", "is read instead of created, so that the gate can't know its values");
  }
  if (own !== storage) {
    return strange("provider", "is not the stack's provider for its S3 server");
  }
  if (args.member !== member?.name || member === undefined) {
    return strange("member", `${shown(args.member)} is not the member whose environment it is part of`);
  }
  const isTheirs = (member.buckets ?? []).some(({ bucketName }) => bucketName === args.bucketName);
  return isTheirs || type !== onServer[0]
    ? undefined
    : strange("bucketName", `${shown(args.bucketName)} is not a bucket of the member's entry`);
}
