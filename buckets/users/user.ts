import type { FieldChange } from "../protocol/messages.ts";
import { type Props, plain } from "../protocol/values.ts";
import { newSecret } from "./credentials.ts";
import type { S3User, UserAdmin } from "./userAdmin.ts";

/** The inputs of a user. The state has the keys too. */
export interface UserSettings {
  /** The member that the keys belong to, for messages. */
  readonly member: string;
  /** Another number makes another secret; the old one ends at once. 0: somebody else has changed the secret. */
  readonly generation: number;
  /** Not an option: a refresh shows a role that somebody has changed. */
  readonly role: string;
  /**
   * Inactive keys open nothing, whoever has a copy and whatever policies name them. Active again, they are unchanged.
   * @default Active
   * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateAccessKey.html
   */
  readonly status?: "Active" | "Inactive";
}

export interface UserState extends UserSettings {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The user's name in messages. */
export function userOf({ member }: Pick<UserSettings, "member">): string {
  return `S3 user of ${member}`;
}

/** @param role role of kubecamp's users on this server; undefined if it has no API for users any more */
export function userInputs(news: Props, role = ""): Props {
  return { generation: 1, ...news, role };
}

export function diffUser(olds: Props, news: Props): Map<string, FieldChange> {
  const unsaid: Props = { status: "Active" };
  const [before, after] = [
    { ...unsaid, ...plain(olds) },
    { ...unsaid, ...plain(news) },
  ];
  const fields = ["member", "generation", "role", "status"].filter((field) => before[field] !== after[field]);
  return new Map(fields.map((field) => [field, before[field] === undefined ? "ADD" : "UPDATE"]));
}

/** The role is always that of kubecamp's users: others on this machine reach a plugin's port, too, and could ask for another. */
export async function createUser(users: UserAdmin, settings: UserSettings, accessKeyId: string): Promise<UserState> {
  const keys = { accessKeyId, secretAccessKey: newSecret() };
  await users.put({ ...keys, secretAccessKey: heldSecret(settings, keys), role: users.role });
  return { ...settings, ...keys };
}

/** Restores all changed fields. A killed update leaves a secret that is not in the state; the next sets another. */
export async function updateUser(users: UserAdmin, before: UserState, settings: UserSettings): Promise<UserState> {
  const rotated = settings.generation !== before.generation;
  const { accessKeyId } = before;
  const keys = { accessKeyId, secretAccessKey: rotated ? newSecret() : before.secretAccessKey };
  await users.put({ ...keys, secretAccessKey: heldSecret(settings, keys), role: users.role });
  return { ...settings, ...keys };
}

/**
 * The secret to set on the server. The user of inactive keys stays, since no policy may name a missing user; with an unknown
 * secret, nobody can sign with a copy of the keys.
 */
function heldSecret({ status }: UserSettings, { secretAccessKey }: Pick<S3User, "secretAccessKey">): string {
  return status === "Inactive" ? newSecret() : secretAccessKey;
}

/** The user on the server; undefined if there is none. */
export async function readUser(users: UserAdmin, before: UserState): Promise<UserState | undefined> {
  const found: S3User | undefined = await users.find(before.accessKeyId);
  if (found === undefined) return undefined;
  const same = found.secretAccessKey === before.secretAccessKey;
  const { status, ...rest } = before;
  // For inactive keys, every other secret is right.
  if (status === "Inactive") return same ? { ...rest, role: found.role } : { ...before, role: found.role };
  return { ...before, role: found.role, generation: same ? before.generation : 0 };
}
