import { resolve } from "node:path";
import { stringify } from "yaml";
import type { ShardSettings } from "../../config/model/settings/settings.ts";
import { shardNames } from "../../config/rules/shards.ts";
import { readStack } from "../common/stackFile.ts";
import { shardsOf } from "./family.ts";

interface OperatorOptions {
  readonly stack: string;
  /** The project's folder, with `Pulumi.yaml`. */
  readonly folder: string;
  readonly output: "yaml" | "json";
}

/**
 * Prints a Stack for each shard.
 * @throws Problem when the list is not split
 */
export function printStacks({ stack, folder, output }: OperatorOptions): void {
  const stacks = operatorStacks(shardsOf(readStack(stack, resolve(folder)).configuration));
  console.log(
    output === "json"
      ? JSON.stringify({ apiVersion: "v1", kind: "List", items: stacks }, null, 2)
      : `${notes}${stacks.map((each) => stringify(each, { lineWidth: 0 })).join("---\n")}`.trimEnd(),
  );
}

const notes = `# Put your own repository, backend and Secrets in; docs/run/watch-by-operator.md has what else it takes. The operator
# hands nobody over: after a change of kubecamp:shards run 'kubecamp up', or 'kubecamp shards move', once.
`;

const namespace = "kubecamp-system";
const fromSecret = (name: string, key: string) => ({ type: "Secret", secret: { name, key } });

/**
 * A Stack for each shard. Each repeats the common settings, since the operator treats it as independent.
 * @see https://github.com/pulumi/pulumi-kubernetes-operator/blob/master/docs/stacks.md
 */
export function operatorStacks(shards: ShardSettings) {
  return shardNames(shards).map((stack) => ({
    apiVersion: "pulumi.com/v1",
    kind: "Stack",
    metadata: { name: `kubecamp-${objectName(stack)}`, namespace },
    spec: {
      serviceAccountName: "kubecamp-watch",
      projectRepo: "https://git.example.org/platform/kubecamp.git",
      branch: "main",
      shallow: true,
      gitAuth: { accessToken: fromSecret("kubecamp-git", "token") },
      backend: "s3://example-pulumi-state",
      stack,
      // A missing stack is a mistake; the operator must not create it.
      useLocalStackOnly: true,
      refresh: true,
      continueResyncOnCommitMatch: true,
      // Each resync refreshes all members of a shard.
      resyncFrequencySeconds: 300,
      retryMaxBackoffDurationSeconds: 600,
      // Deleting this resource must not delete a school.
      destroyOnFinalize: false,
      envRefs: { PULUMI_CONFIG_PASSPHRASE: fromSecret("kubecamp-backend", "PULUMI_CONFIG_PASSPHRASE") },
      workspaceTemplate: {
        spec: {
          image: "docker.io/pulumi/pulumi-nodejs-24:3.270.0",
          securityProfile: "restricted",
          resources: { requests: { cpu: "100m", memory: "512Mi" }, limits: { memory: "2Gi" } },
        },
      },
    },
  }));
}

/** A stack's name may have characters that an object's may not. */
const objectName = (stack: string) => (/^[-a-z0-9]+$/.test(stack) ? stack : Buffer.from(stack).toString("hex"));
