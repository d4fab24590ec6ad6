import type { Member } from "../../config/member/member.ts";
import type { Configuration } from "../../config/settings.ts";
import { yamlOf } from "./manifests.ts";
import { commandOf, configOf, kubeconfigOf, podSpecOf, type StackPod, systemNamespace, watchMetadata } from "./pod.ts";
import { verifyFence, verifyRightsText } from "./verifyRights.ts";

export interface VerifyJobOptions extends Omit<StackPod, "context"> {
  /** A cron line. */
  readonly schedule: string;
  readonly args: readonly string[];
  /** Whether it decrypts the stack's secrets, for the administrator's key to the S3 server. */
  readonly isOpened: boolean;
}

/** The manifests of a CronJob that runs `kubecamp verify`. @param players members made for a while (`throwaways`) */
export function verifyManifests(stack: Configuration, players: readonly Member[], options: VerifyJobOptions): string {
  const { settings } = stack;
  const pod = { ...options, context: settings.cluster.context ?? settings.stack };
  return [
    yamlOf(systemNamespace),
    verifyRightsText(stack, players, options.name),
    ...[...verifyFence(stack, players, options.name), configOf(pod), kubeconfigOf(pod), cronJobOf(options, pod)].map(
      yamlOf,
    ),
  ].join("---\n");
}

/** Seconds for all, ten minutes of trials and three of removal among them; and for the removal alone, once it is told to end. */
const longest = 1_000;
const removal = 200;

const cronJobOf = ({ name, image, schedule, args, isOpened }: VerifyJobOptions, pod: StackPod) => ({
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata: watchMetadata(name),
  spec: {
    schedule,
    concurrencyPolicy: "Forbid",
    startingDeadlineSeconds: 3_600,
    successfulJobsHistoryLimit: 1,
    failedJobsHistoryLimit: 1,
    jobTemplate: {
      spec: {
        // A broken promise is none the less broken the second time.
        backoffLimit: 0,
        activeDeadlineSeconds: longest,
        template: {
          spec: {
            ...podSpecOf(pod, commandOf(image, args, { isOpened })),
            restartPolicy: "Never",
            terminationGracePeriodSeconds: removal,
          },
        },
      },
    },
  },
});
