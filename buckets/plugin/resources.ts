import { bucketType, bucketUserType } from "../../naming/urns.ts";
import { type CheckedInputs, checkBucket } from "../bucket/check.ts";
import { diffBucket } from "../bucket/diff.ts";
import type { FieldChange } from "../protocol/messages.ts";
import type { Props } from "../protocol/values.ts";
import { checkUser, diffUser } from "../users/user.ts";
import * as bucket from "./bucketResource.ts";
import type { Before, FoundResource, Request, Written } from "./requests.ts";
import type { Session } from "./session.ts";
import { updateBucket } from "./updateBucket.ts";
import * as user from "./userResource.ts";

/** Operations on one kind of resource. `preview…` changes nothing. */
interface ResourceKind {
  check(session: Session, olds: Props, news: Props): CheckedInputs;
  /** @param inputs the last declared ones; `olds` are the outputs in the state */
  diff(olds: Props, news: Props, inputs: Props): Map<string, FieldChange>;
  create(session: Session, request: Request, news: Props): Promise<Written>;
  preview(session: Session, request: Request, news: Props): Promise<Written>;
  update(session: Session, request: Request, olds: Props, news: Props): Promise<Props>;
  previewUpdate(olds: Props, news: Props): Props;
  read(session: Session, request: Request, before: Before): Promise<FoundResource | undefined>;
  remove(session: Session, request: Request, id: string, state: Props): Promise<void>;
}

const kinds: Readonly<Record<string, ResourceKind>> = {
  [bucketType]: {
    check: ({ server, signal }, olds, news) =>
      checkBucket(olds, news, { givesBuckets: server.users(signal) !== undefined }),
    diff: diffBucket,
    create: bucket.createBucket,
    preview: bucket.previewBucket,
    update: updateBucket,
    previewUpdate: (_, news) => news,
    read: bucket.readBucket,
    remove: (session, request, _, state) => bucket.deleteBucket(session, request, state),
  },
  [bucketUserType]: {
    check: ({ server, signal }, _, news) => checkUser(news, server.users(signal)?.role),
    diff: diffUser,
    create: user.createUser,
    preview: user.previewUser,
    update: user.updateUser,
    previewUpdate: user.previewUserUpdate,
    read: user.readUser,
    remove: user.deleteUser,
  },
};

/** Kind of the resource with this URN. */
export function kindOf(urn: string): ResourceKind {
  const token = urn.split("::")[2]?.split("$").at(-1) ?? "";
  const kind = kinds[token];
  if (kind === undefined)
    throw new Error(`this plugin has no resource ${token}; it has ${Object.keys(kinds).join(", ")}`);
  return kind;
}
