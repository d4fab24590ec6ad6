/** The resource BucketUser: Pulumi's requests, carried out on the server's API for users. */

import { messageOf } from "../../cluster/api/message.ts";
import { unknown } from "../../naming/pulumiMarks.ts";
import { Refused, Unanswered } from "../failures.ts";
import { InitFailed } from "../protocol/errors.ts";
import { type Props, plain, secret } from "../protocol/values.ts";
import { keyPrefixOf, newAccessKey } from "../users/credentials.ts";
import {
  createUser as create,
  readUser as read,
  type UserSettings,
  type UserState,
  updateUser as update,
  userOf,
} from "../users/user.ts";
import type { UserAdmin } from "../users/userAdmin.ts";
import { type Before, type FoundResource, type Operation, type Session, type Written, withServer } from "./session.ts";

export async function createUser(session: Session, urn: string, news: Props): Promise<Written> {
  const settings = plain(news) as unknown as UserSettings;
  const prefix = keyPrefixOf(session.configuration.stack, urn);
  const state = await withUsers(operationOf(session, urn, settings), async (users) => {
    // An existing user comes from a killed run or a lost state, never from a former member, whose user was removed.
    const [left] = await users.keysBeginning(prefix);
    return create(users, settings, left ?? newAccessKey(prefix));
  });
  return { id: state.accessKeyId, properties: propertiesOf(state) };
}

/** Policies need the access key, which a preview knows only for an existing user. */
export async function previewUser(session: Session, urn: string, news: Props): Promise<Written> {
  const settings = plain(news) as unknown as UserSettings;
  const prefix = keyPrefixOf(session.configuration.stack, urn);
  const asked = withUsers(operationOf(session, urn, settings), (users) => users.keysBeginning(prefix));
  const [accessKeyId = unknown] = await asked.catch((error: unknown) => {
    if (error instanceof Unanswered) return [];
    throw error;
  });
  return { id: "", properties: { ...news, accessKeyId, secretAccessKey: secret(unknown) } };
}

export async function updateUser(session: Session, urn: string, olds: Props, news: Props): Promise<Props> {
  const settings = plain(news) as unknown as UserSettings;
  const before = plain(olds) as unknown as UserState;
  try {
    const state = await withUsers(operationOf(session, urn, settings), (users) => update(users, before, settings));
    return propertiesOf(state);
  } catch (error) {
    // The server may have done it all the same. The state keeps the former keys, and the next run sets the declared ones.
    const message = messageOf(error);
    throw new InitFailed(message, { id: before.accessKeyId, state: olds, reasons: [] });
  }
}

export function previewUserUpdate(olds: Props, news: Props): Props {
  const { accessKeyId = unknown, secretAccessKey = unknown, generation = null } = olds;
  const rotated = plain(olds).generation !== plain(news).generation || generation === null;
  return { ...news, accessKeyId, secretAccessKey: secret(rotated ? unknown : secretAccessKey) };
}

/** Undefined if the user is gone. */
export async function readUser(
  session: Session,
  urn: string,
  { id, state }: Before,
): Promise<FoundResource | undefined> {
  const before = plain(state) as unknown as UserState;
  const found = await withUsers(operationOf(session, urn, before), (users) => read(users, before));
  if (found === undefined) return undefined;
  const { accessKeyId: _, secretAccessKey: __, ...inputs } = propertiesOf(found);
  return { id, inputs, properties: propertiesOf(found) };
}

export async function deleteUser(session: Session, urn: string, state: Props): Promise<void> {
  const settings = plain(state) as unknown as UserState;
  await withUsers(operationOf(session, urn, settings), (users) => users.remove(settings.accessKeyId));
}

function withUsers<T>(operation: Operation, act: (users: UserAdmin) => Promise<T>): Promise<T> {
  return withServer(operation, ({ users }) => {
    if (users !== undefined) return act(users);
    throw new Refused(
      `${operation.who}: the S3 server has no API for users any more; set 'users' as it was, then run again`,
    );
  });
}

function propertiesOf({ secretAccessKey, ...state }: UserState): Props {
  return { ...(state as unknown as Props), secretAccessKey: secret(secretAccessKey) };
}

function operationOf(session: Session, urn: string, settings: UserSettings): Operation {
  return { session, urn, who: userOf(settings) };
}
