import assert from "node:assert/strict";
import { join } from "node:path";
import type { V1ValidatingAdmissionPolicy } from "@kubernetes/client-node";
import { admissionPolicyName } from "../../../../config/names/names.ts";
import type { Settings } from "../../../../config/settings.ts";
import { fenceFile, watchFolder } from "../../../unit/deploy/manifests.ts";
import { settings } from "../../../unit/samples.ts";
import { otherKubeconfig } from "../../program/kubeconfigs.ts";
import { type Entry, type Run, useStack } from "../../program/stack.ts";
import { applyFiles, deleteFiles } from "../../support/manifestFiles.ts";

export const identity = "system:serviceaccount:kubecamp-system:kubecamp-watch";
export const rbac = "rbac.authorization.k8s.io";
const [, , namespace = "", account = ""] = identity.split(":");
const files = [...["namespace.yaml", "rbac.yaml"].map((file) => join(watchFolder, file)), fenceFile];

export const stackSettings: Settings = { ...settings, stack: "prod" };
export const memberTypes = { reader: { home: "view", others: "view-guest", quota: false } };
export const ned: Entry = { member: "ned", type: "user" };
export const uma: Entry = { member: "uma", type: "admin" };

/** One of the admission policies that are an admin's part. */
export const images = admissionPolicyName("images", stackSettings);
const policy = "validatingadmissionpolicy";

export type WatchStack = ReturnType<typeof useWatchStack>;

/** A stack for the suite that calls this, and the rights and the fence of a watch as deploy/ has them. */
export function useWatchStack() {
  const stack = useStack("prod");
  let kubeconfig: string | undefined;

  before(async () => {
    await applyFiles(stack.sandbox, ...files);
  });
  after(async () => {
    await deleteFiles(stack.sandbox, ...files);
  });

  const token = () => stack.sandbox.token(account, namespace);
  /** Has `up` be the watch's from now on. @returns its kubeconfig */
  const signIn = async (server?: string): Promise<string> => {
    kubeconfig = await otherKubeconfig(stack, { token: await token(), ...(server === undefined ? {} : { server }) });
    return kubeconfig;
  };
  /** As deploy/ has the watch run: with its own rights, behind the fence. */
  const up = async (...flags: string[]): Promise<Run> => {
    assert.ok(kubeconfig, "nobody has signed in");
    const run = await stack.run(["up", "--yes", "--skip-preview", ...flags], { KUBECONFIG: kubeconfig });
    assert.equal(run.exitCode, 0, run.output);
    return run;
  };
  const upOf = async (members: readonly Entry[], ...flags: string[]): Promise<Run> => {
    await stack.configure(members, { memberTypes });
    return await up(...flags);
  };
  /** Changes an admission policy by hand. */
  const loosened = () => stack.sandbox.patch(policy, images, undefined, { spec: { failurePolicy: "Ignore" } });
  const failurePolicy = async () =>
    (await stack.sandbox.get<V1ValidatingAdmissionPolicy>(policy, images)).spec?.failurePolicy;

  return { stack, token, signIn, up, upOf, loosened, failurePolicy };
}
