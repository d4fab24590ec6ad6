import { messageOf } from "../../cluster/api/errors.ts";
import { unknown } from "../../config/names/pulumiMarks.ts";
import { type FieldChange, InitFailed } from "../protocol/messages.ts";
import { type Props, plain, secret } from "../protocol/values.ts";
import { keyPrefixOf, newAccessKey, newSecret } from "../s3/credentials.ts";
import { Refused, Unanswered } from "../s3/failures.ts";
import type { UserAdmin } from "../s3/versitygw.ts";
import { type Before, type FoundResource, type Session, type Written, withServer } from "./session.ts";

export interface UserSettings {
  readonly member: string;
  /** Another number makes another secret; the old one ends at once. 0: somebody else has changed the secret. */
  readonly generation: number;
  /** Not an option: a refresh shows a role that somebody has changed. */
  readonly role: string;
  /**
   * Inactive keys open nothing, whoever has a copy and whatever policies name them. Active again, they are unchanged.
   * Default: Active.
   * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateAccessKey.html
   */
  readonly status?: "Active" | "Inactive";
}

interface UserState extends UserSettings {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
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

export async function createUser(session: Session, urn: string, news: Props): Promise<Written> {
  const prefix = keyPrefixOf(session.configuration.stack, urn);
  const state = await withUsers(session, urn, news, async (users) => {
    // An existing user comes from a killed run or a lost state, never from a former member, whose user was removed.
    const [left] = await users.keysBeginning(prefix);
    const keys = { accessKeyId: left ?? newAccessKey(prefix), secretAccessKey: newSecret() };
    return put(users, { ...settingsIn(news), ...keys });
  });
  return { id: state.accessKeyId, properties: propertiesOf(state) };
}

/** Policies need the access key, which a preview knows only for an existing user. */
export async function previewUser(session: Session, urn: string, news: Props): Promise<Written> {
  const prefix = keyPrefixOf(session.configuration.stack, urn);
  const asked = withUsers(session, urn, news, (users) => users.keysBeginning(prefix));
  const [accessKeyId = unknown] = await asked.catch((error: unknown) => {
    if (error instanceof Unanswered) {
      return [];
    }
    throw error;
  });
  return { id: "", properties: { ...news, accessKeyId, secretAccessKey: secret(unknown) } };
}

/** Restores all changed fields. A killed update leaves a secret that is not in the state; the next sets another. */
export async function updateUser(session: Session, urn: string, olds: Props, news: Props): Promise<Props> {
  const [before, settings] = [stateIn(olds), settingsIn(news)];
  const { accessKeyId } = before;
  const secretAccessKey = settings.generation === before.generation ? before.secretAccessKey : newSecret();
  try {
    const state = { ...settings, accessKeyId, secretAccessKey };
    return propertiesOf(await withUsers(session, urn, news, (users) => put(users, state)));
  } catch (error) {
    // The server may have done it all the same. The state keeps the former keys, and the next run sets the declared ones.
    throw new InitFailed(messageOf(error), { id: accessKeyId, state: olds, reasons: [] });
  }
}

export function previewUserUpdate(olds: Props, news: Props): Props {
  const { accessKeyId = unknown, secretAccessKey = unknown, generation = null } = olds;
  const rotated = plain(olds).generation !== plain(news).generation || generation === null;
  return { ...news, accessKeyId, secretAccessKey: secret(rotated ? unknown : secretAccessKey) };
}

export async function readUser(
  session: Session,
  urn: string,
  { id, state }: Before,
): Promise<FoundResource | undefined> {
  const before = stateIn(state);
  const user = await withUsers(session, urn, state, (users) => users.find(before.accessKeyId));
  if (user === undefined) {
    return undefined;
  }
  const same = user.secretAccessKey === before.secretAccessKey;
  const { status, ...active } = before;
  // For inactive keys, every other secret is right.
  const found =
    status === "Inactive"
      ? { ...(same ? active : before), role: user.role }
      : { ...before, role: user.role, generation: same ? before.generation : 0 };
  const { accessKeyId: _, secretAccessKey: __, ...inputs } = propertiesOf(found);
  return { id, inputs, properties: propertiesOf(found) };
}

export async function deleteUser(session: Session, urn: string, state: Props): Promise<void> {
  await withUsers(session, urn, state, (users) => users.remove(stateIn(state).accessKeyId));
}

export const userOf = ({ member }: Pick<UserSettings, "member">) => `S3 user of ${member}`;

/**
 * Sets a user on the server. The user of inactive keys stays, since no policy may name a missing user; with an unknown
 * secret, nobody can sign with a copy of the keys. The role is always that of kubecamp's users: others on this machine
 * reach a plugin's port, too, and could ask for another.
 */
async function put(users: UserAdmin, state: UserState): Promise<UserState> {
  const { accessKeyId, status } = state;
  const secretAccessKey = status === "Inactive" ? newSecret() : state.secretAccessKey;
  await users.put({ accessKeyId, secretAccessKey, role: users.role });
  return state;
}

function withUsers<T>(session: Session, urn: string, props: Props, act: (users: UserAdmin) => Promise<T>): Promise<T> {
  const who = userOf(settingsIn(props));
  return withServer({ session, urn, who }, ({ users }) => {
    if (users !== undefined) {
      return act(users);
    }
    throw new Refused(`${who}: the S3 server has no API for users any more; set 'users' as it was, then run again`);
  });
}

const settingsIn = (props: Props): UserSettings => plain(props) as unknown as UserSettings;
const stateIn = (props: Props): UserState => plain(props) as unknown as UserState;

function propertiesOf({ secretAccessKey, ...state }: UserState): Props {
  return { ...(state as unknown as Props), secretAccessKey: secret(secretAccessKey) };
}
