import assert from "node:assert/strict";
import { checkBucket } from "../../../../buckets/bucket/check.ts";
import { markTags } from "../../../../buckets/bucket/mark.ts";
import { settingsIn } from "../../../../buckets/bucket/settings.ts";
import type { Session } from "../../../../buckets/plugin/session.ts";
import type { Props } from "../../../../buckets/protocol/values.ts";
import type { LiveAcl } from "../../../../buckets/s3/s3.ts";
import type { FakeBucket } from "../fakeS3.ts";
import { fakeSession } from "./fakeSession.ts";

export const urn = "urn:pulumi:prod::kubecamp::kubecamp-buckets:index:Bucket::alice/data";
export const policy = JSON.stringify({
  Version: "2012-10-17",
  Statement: [
    { Effect: "Allow", Principal: { AWS: ["KC"] }, Action: ["s3:GetObject"], Resource: ["arn:aws:s3:::alice-data/*"] },
  ],
});

/** As `check` gives them. */
export const inputsOf = (args: Props = {}): Props =>
  checkBucket({}, { bucketName: "alice-data", member: "alice", ...args }, { givesBuckets: true }).inputs;
export const mark = { stack: "kubecamp/prod", urn };
export const tagsOf = (inputs: Props) => markTags(mark, settingsIn(inputs));
/** An ACL that has nobody but a bucket's owner. */
export const aclOf = (owner: string): LiveAcl => ({ owner, grants: [{ grantee: owner, permission: "FULL_CONTROL" }] });
export const stateOf = (inputs: Props) => ({ id: "alice-data", inputs, state: inputs });
export const withoutUsers = (session: Session): Session => ({
  ...session,
  server: { ...session.server, users: () => undefined },
});
export const started = (inputs: Props, bucket: Partial<FakeBucket> = {}) => {
  const fake = fakeSession();
  return { ...fake, bucket: fake.s3.add("alice-data", { tags: tagsOf(inputs), ...bucket }) };
};
export const refusal = async (act: Promise<unknown>): Promise<string> => {
  const error = await act.then(
    () => assert.fail("it was not refused"),
    (each: unknown) => each,
  );
  assert.ok(error instanceof Error);
  return error.message;
};
