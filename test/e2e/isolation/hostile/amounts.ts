import type { Answer } from "../../support/signedIn.ts";
import type { Ask } from "./attempt.ts";
import { create, type Group, home, inside, named, pod, workload } from "./attempt.ts";

/** Makes them until the first refusal, which is the answer; or that of the last one. */
const thousandOf =
  (resource: string): Ask =>
  async ({ ask }) => {
    const answers: Answer[] = [];
    for (let index = 0; index < 1000 && answers.every(({ status }) => status < 400); index += 20) {
      const names = Array.from({ length: 20 }, (_, each) => `flood-${index + each}`);
      answers.push(...(await Promise.all(names.map((name) => ask("POST", home(resource), named(name))))));
    }
    return answers.find(({ status }) => status >= 400) ?? (answers.at(-1) as Answer);
  };
const claim = (storage: string) => ({ spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } } });
const limits = (of: object) => ({ resources: { limits: of } });

/** More than one's share. */
export const amounts: Group = {
  on: "more than their share",
  attempts: [
    ["makes 1,000 ConfigMaps", thousandOf("configmaps"), /exceeded quota: quota, requested: (count\/)?configmaps=1,/],
    ["makes 1,000 Secrets", thousandOf("secrets"), /exceeded quota: quota, requested: (count\/)?secrets=1,/],
    [
      "runs a pod with all CPU of the node",
      create(home("pods"), pod("cpu", {}, limits({ cpu: "64" }))),
      /exceeded quota: quota, requested: limits.cpu=64/,
    ],
    [
      "runs a pod with all memory of the node",
      create(home("pods"), pod("memory", {}, limits({ memory: "256Gi" }))),
      /exceeded quota: quota, requested: .*limits.memory=256Gi/,
    ],
    [
      "fills the node's disk",
      create(home("pods"), pod("disk", {}, limits({ "ephemeral-storage": "1Ti" }))),
      /exceeded quota: quota, requested: .*limits.ephemeral-storage=1Ti/,
    ],
    [
      "takes a volume that is larger than allowed",
      create(home("persistentvolumeclaims"), named("large", claim("2Ti"))),
      /maximum storage usage per PersistentVolumeClaim is 1000Mi/,
    ],
    [
      "asks for nothing and means to take all",
      create(home("pods"), pod("zero", {}, limits({ cpu: "0" }))),
      /minimum cpu usage per Container is 1m/,
    ],
  ],
  controls: [
    ["deletes the ConfigMaps again", ({ ask }) => ask("DELETE", home("configmaps"))],
    [
      "has a Deployment with as many pods as they like, of which the quota lets some run",
      create(home("deployments"), { ...workload("many"), spec: { ...workload("many").spec, replicas: 1000 } }),
    ],
    ["makes more ConfigMaps as a member without quota", create(inside("ada", "configmaps"), named("one")), "ada"],
  ],
};
