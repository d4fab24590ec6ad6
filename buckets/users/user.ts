import { unknown } from "../../naming/pulumiMarks.ts";
import type { CheckedInputs, FieldMistake } from "../bucket/check.ts";
import type { FieldChange } from "../protocol/messages.ts";
import { type Props, plain } from "../protocol/values.ts";
import { newSecret } from "./credentials.ts";
import type { S3User, UserAdmin } from "./userAdmin.ts";

/** What is declared of a user: the resource's inputs. Their keys are in the state besides. */
export interface UserSettings {
  readonly member: string;
  /** Another number brings another secret. 0 stands for a secret that somebody else has set. */
  readonly generation: number;
  /** Not to be chosen: it is here so that a refresh can show one that somebody has changed. */
  readonly role: string;
  /** As IAM calls it. Undefined: `Active`. Keys that are inactive open nothing, and are the same once they are active again. */
  readonly status?: (typeof statuses)[number];
}

const statuses = ["Active", "Inactive"] as const;

export interface UserState extends UserSettings {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** How messages name a user. */
export function userOf({ member }: Pick<UserSettings, "member">): string {
  return `S3 user of ${member}`;
}

/** @param role what ours are on this server; undefined where it has no API for users */
export function checkUser(news: Props, role: string | undefined): CheckedInputs {
  const given = plain(news);
  const failures: FieldMistake[] = [];
  const who = userOf({ member: typeof given.member === "string" ? given.member : "?" });
  const wrong = (property: string, reason: string): void =>
    void failures.push({ property, reason: `${who}: ${reason}` });
  if (role === undefined) {
    wrong("member", "kubecamp can't make users on this server; set 'users' for one where it can, or give credentials");
  }
  if (typeof given.member !== "string" || given.member === "")
    wrong("member", "'member' has to say whose the keys are");
  const { generation = 1, status = "Active" } = given;
  if (generation !== unknown && !(Number.isSafeInteger(generation) && Number(generation) >= 1)) {
    wrong("generation", `'generation' is a whole number from 1 on, and not ${JSON.stringify(generation)}`);
  }
  if (status !== unknown && !statuses.some((each) => each === status)) {
    wrong("status", `'status' is one of ${statuses.join(", ")}, and not ${JSON.stringify(status)}`);
  }
  const known = ["member", "generation", "status"];
  for (const key of Object.keys(given)) {
    if (!known.includes(key)) wrong(key, `'${key}' is unknown; known are ${known.join(", ")}`);
  }
  return { inputs: { generation: 1, ...news, role: role ?? "" }, failures };
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

export async function createUser(users: UserAdmin, settings: UserSettings, accessKeyId: string): Promise<UserState> {
  const keys = { accessKeyId, secretAccessKey: newSecret() };
  await users.put({ ...keys, secretAccessKey: heldSecret(settings, keys), role: settings.role });
  return { ...settings, ...keys };
}

/** Puts back what somebody has changed. A killed one leaves a secret that the state doesn't know: the next sets another. */
export async function updateUser(users: UserAdmin, before: UserState, settings: UserSettings): Promise<UserState> {
  const rotated = settings.generation !== before.generation;
  const { accessKeyId } = before;
  const keys = { accessKeyId, secretAccessKey: rotated ? newSecret() : before.secretAccessKey };
  await users.put({ ...keys, secretAccessKey: heldSecret(settings, keys), role: settings.role });
  return { ...settings, ...keys };
}

/**
 * What the server is told. The user of inactive keys stays there, since no policy can be written that names somebody who is
 * not; with a secret that nobody knows, whoever has a copy of theirs can't sign for any bucket.
 */
function heldSecret({ status }: UserSettings, { secretAccessKey }: Pick<S3User, "secretAccessKey">): string {
  return status === "Inactive" ? newSecret() : secretAccessKey;
}

/** A user as the server has them; undefined if it has none. */
export async function readUser(users: UserAdmin, before: UserState): Promise<UserState | undefined> {
  const found: S3User | undefined = await users.find(before.accessKeyId);
  if (found === undefined) return undefined;
  const same = found.secretAccessKey === before.secretAccessKey;
  const { status, ...rest } = before;
  // Of inactive keys, any other secret will do.
  if (status === "Inactive") return same ? { ...rest, role: found.role } : { ...before, role: found.role };
  return { ...before, role: found.role, generation: same ? before.generation : 0 };
}
