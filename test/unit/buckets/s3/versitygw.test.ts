import assert from "node:assert/strict";
import { explained } from "../../../../buckets/s3/failures.ts";
import { type AdminAnswer, versitygwUsers } from "../../../../buckets/s3/versitygw.ts";

const alice = { accessKeyId: "KCALICE", secretAccessKey: `a<b&"c'>`, role: "user" };

/** An admin API that gives these answers, in turn, and what it was asked. */
const api = (...answers: readonly AdminAnswer[]) => {
  const asked: string[] = [];
  const left = [...answers];
  const users = versitygwUsers(async (_, path, body) => {
    asked.push(`${path} ${body}`.trim());
    return left.shift() ?? assert.fail(`nobody expected ${path}`);
  });
  return { users, asked };
};
const fine = (body = ""): AdminAnswer => ({ status: 200, body });
const error = (status: number, code: string, message = "no"): AdminAnswer => ({
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`,
});

describe("the users of a versitygw", () => {
  it("creates a versitygw user that an update does not find", async () => {
    const { users, asked } = api(error(404, "XAdminUserNotFound"), { status: 201, body: "" });
    await users.put(alice);
    const properties = "<Secret>a&lt;b&amp;&#34;c&#39;&gt;</Secret><Role>user</Role>";
    assert.deepEqual(asked, [
      `/update-user?access=KCALICE <MutableProps>${properties}</MutableProps>`,
      `/create-user <Account><Access>KCALICE</Access>${properties}</Account>`,
    ]);
  });

  it("finds a versitygw user by their key", async () => {
    const account = (access: string, secret: string) =>
      `<Accounts><Access>${access}</Access><Secret>${secret}</Secret><Role>user</Role><UserID>0</UserID></Accounts>`;
    const all = `<ListUserAccountsResult>${account("KCBOB", "b")}${account("KCALICE", "a&lt;b&amp;&#34;c&#39;&gt;")}</ListUserAccountsResult>`;
    assert.deepEqual(await api(fine(all)).users.find("KCALICE"), alice);
    assert.equal(await api(fine(all)).users.find("KCCAROL"), undefined);
    assert.deepEqual(await api(fine(all)).users.keysBeginning("KC"), ["KCALICE", "KCBOB"]);
    assert.deepEqual(await api(fine(all)).users.keysBeginning("KCB"), ["KCBOB"]);
  });

  it("takes no versitygw user for absent by an answer that is no list", async () => {
    const html = "<!DOCTYPE html><html><body>Welcome</body></html>";
    for (const body of ["", html, "{}", "<ListUserAccountsResult><Accounts>", "<Error><Code>X</Code></Error>"]) {
      await assert.rejects(
        api(fine(body)).users.find("KCALICE"),
        /it doesn't answer as the admin API of a versitygw does/,
      );
    }
    for (const body of [
      "<ListUserAccountsResult></ListUserAccountsResult>",
      '<?xml version="1.0"?>\n<ListUserAccountsResult/>\n',
    ]) {
      assert.equal(await api(fine(body)).users.find("KCALICE"), undefined);
    }
  });

  it("removes a versitygw user by their encoded key", async () => {
    const { users, asked } = api(fine());
    await users.remove("KC/ALICE");
    assert.deepEqual(asked, ["/delete-user?access=KC%2FALICE"]);
  });

  it("reports the versitygw's refusal in words, without anybody's secret", async () => {
    const denied = "Only admin users have access to this resource.";
    const reported = await api(error(403, "XAdminAccessDenied", denied))
      .users.put(alice)
      .catch((failure: unknown) => explained(failure, "S3 user of alice", "https://s3.test").message);
    assert.equal(
      reported,
      `S3 user of alice: https://s3.test answers 403 to UpdateUser (XAdminAccessDenied: ${denied}); give the S3 server's ` +
        "access key the right to do this, then run again",
    );
    const other = await api({ status: 404, body: "<html>a&lt;b secret</html>" })
      .users.find("KCALICE")
      .catch((failure: unknown) => explained(failure, "S3 user of alice", "https://s3.test").message);
    assert.match(String(other), /answers 404 to ListUsers \(it doesn't answer as the admin API of a versitygw does\)/);
    assert.ok(!String(other).includes("secret"));
  });
});
