import { hasCode, S3Failure } from "./failures.ts";
import type { S3User } from "./s3.ts";

export interface AdminAnswer {
  readonly status: number;
  readonly body: string;
}

/** Sends a signed PATCH to a path of the admin API. Throws `S3Failure` if the server doesn't answer. */
export type AdminRequest = (operation: string, path: string, body: string) => Promise<AdminAnswer>;

export type UserAdmin = ReturnType<typeof versitygwUsers>;

const notVersitygw = "it doesn't answer as the admin API of a versitygw does";

/** The users of a versitygw, through its admin API. @see https://github.com/versity/versitygw/wiki/Multi-Tenant */
export function versitygwUsers(request: AdminRequest) {
  const ask = async (operation: string, path: string, body = ""): Promise<string> => {
    const answer = await request(operation, path, body);
    if (answer.status >= 300) {
      throw failureOf(operation, answer);
    }
    return answer.body;
  };
  // There is no request for one user: this answer has everybody's secrets and must not leave this file.
  const all = async (): Promise<S3User[]> => usersIn(await ask("ListUsers", "/list-users"));
  return {
    role: "user",
    adminRole: "admin",
    /** Undefined if the server says that there is none. */
    async find(accessKeyId: string): Promise<S3User | undefined> {
      return (await all()).find((user) => user.accessKeyId === accessKeyId);
    },
    async keysBeginning(prefix: string): Promise<readonly string[]> {
      const keys = (await all()).map(({ accessKeyId }) => accessKeyId);
      return keys.filter((key) => key.startsWith(prefix)).sort();
    },
    async put({ accessKeyId, secretAccessKey, role }: S3User): Promise<void> {
      const properties = `${element("Secret", secretAccessKey)}${element("Role", role)}`;
      try {
        const path = `/update-user?access=${encodeURIComponent(accessKeyId)}`;
        await ask("UpdateUser", path, `<MutableProps>${properties}</MutableProps>`);
      } catch (error) {
        if (!hasCode(error, "XAdminUserNotFound")) {
          throw error;
        }
        const account = `<Account>${element("Access", accessKeyId)}${properties}</Account>`;
        await ask("CreateUser", "/create-user", account);
      }
    },
    /** Makes a user the owner of a bucket, which deletes its ACL and policy. */
    async giveBucket(bucket: string, accessKeyId: string): Promise<void> {
      const query = new URLSearchParams({ bucket, owner: accessKeyId });
      await ask("ChangeBucketOwner", `/change-bucket-owner?${query}`);
    },
    /** A missing user is no error. */
    async remove(accessKeyId: string): Promise<void> {
      await ask("DeleteUser", `/delete-user?access=${encodeURIComponent(accessKeyId)}`);
    },
  };
}

/** @throws if the body is no list: the answer of some other server doesn't prove that there are no users */
function usersIn(body: string): S3User[] {
  if (!/^\s*(<\?xml[^>]*\?>\s*)?<ListUserAccountsResult(\s[^>]*)?(\/>|>.*<\/ListUserAccountsResult>)\s*$/s.test(body)) {
    throw new S3Failure("ListUsers", { code: "", status: 200, message: notVersitygw });
  }
  return [...body.matchAll(/<Accounts>(.*?)<\/Accounts>/gs)].map(([, account = ""]) => ({
    accessKeyId: textIn(account, "Access"),
    secretAccessKey: textIn(account, "Secret"),
    role: textIn(account, "Role"),
  }));
}

function failureOf(operation: string, { status, body }: AdminAnswer): S3Failure {
  const code = textIn(body, "Code");
  const message = textIn(body, "Message") || notVersitygw;
  return new S3Failure(operation, { code, status, message });
}

const entities: readonly (readonly [string, string])[] = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&#34;"],
  ["'", "&#39;"],
];

function element(name: string, text: string): string {
  return `<${name}>${entities.reduce((made, [plain, entity]) => made.replaceAll(plain, entity), text)}</${name}>`;
}

/** Text of the first element of this name, which contains no other elements. */
function textIn(xml: string, name: string): string {
  const [, text = ""] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return entities.reduceRight((made, [plain, entity]) => made.replaceAll(entity, plain), text);
}
