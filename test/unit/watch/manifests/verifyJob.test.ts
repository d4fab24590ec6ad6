import assert from "node:assert/strict";
import { parseAllDocuments } from "yaml";
import { throwaways } from "../../../../verify/stage/people.ts";
import { deploymentOf } from "../../../../watch/manifests/pod.ts";
import { verifyManifests } from "../../../../watch/manifests/verifyJob.ts";
import { type Manifest, manifestOf, rightsOf, textOf } from "../../deploy/manifests.ts";
import { configuration } from "../../samples.ts";

const image = "ghcr.io/example/kubecamp:1";
const name = "kubecamp-verify-dev";

describe("kubecamp verify --schedule", () => {
  const printed = (raw: Record<string, unknown>, isOpened = false) => {
    const stack = configuration({ members: [{ member: "bob", type: "user" }], ...raw });
    const players = throwaways(stack, raw, { today: "2026-06-15", sign: "" });
    const args = ["verify", "--stack", "dev", "--record"];
    const files = new Map([["Pulumi.yaml", "name: kubecamp\n"]]);
    const text = verifyManifests(stack, players, { name, image, schedule: "17 4 * * *", args, isOpened, files });
    return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
  };
  const podIn = (objects: readonly Manifest[]) => {
    const { spec } = manifestOf("CronJob", name, objects) as unknown as CronJob;
    return spec.jobTemplate.spec.template.spec;
  };
  interface CronJob {
    readonly spec: Readonly<Record<string, unknown>> & { readonly jobTemplate: JobTemplate };
  }
  interface JobTemplate {
    readonly spec: Readonly<Record<string, unknown>> & { readonly template: { readonly spec: PodSpec } };
  }
  type PodSpec = Readonly<Record<string, unknown>> & {
    readonly containers: readonly Readonly<Record<string, unknown>>[];
  };

  it("prints a CronJob that tries once, and is given the time to remove what it has made", () => {
    const objects = printed({});
    const { jobTemplate, ...spec } = (manifestOf("CronJob", name, objects) as unknown as CronJob).spec;
    assert.deepEqual(spec, {
      schedule: "17 4 * * *",
      concurrencyPolicy: "Forbid",
      startingDeadlineSeconds: 3_600,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 1,
    });
    const { template, ...job } = jobTemplate.spec;
    assert.deepEqual(job, { backoffLimit: 0, activeDeadlineSeconds: 1_000 });
    const { restartPolicy, terminationGracePeriodSeconds, serviceAccountName, containers } = template.spec;
    assert.deepEqual(
      [restartPolicy, terminationGracePeriodSeconds, serviceAccountName, containers[0]?.args],
      ["Never", 200, name, ["verify", "--stack", "dev", "--record"]],
    );
  });

  it("confines its pod as the watch's, with the same folders, and gives the backend only where it must", () => {
    const common = ({ initContainers, securityContext, volumes, containers: [container] }: PodSpec) => [
      ...[initContainers, securityContext, volumes, container?.securityContext, container?.volumeMounts],
    ];
    const files = new Map([["Pulumi.yaml", ""]]);
    const watch = deploymentOf({ name, image, files, stack: "dev", context: "dev", prometheus: "monitoring" });
    const own = podIn(printed({}));
    assert.deepEqual(common(own), common(watch.spec.template.spec as unknown as PodSpec));
    assert.equal(own.containers[0]?.workingDir, "/project");
    assert.equal(own.containers[0]?.envFrom, undefined);
    assert.deepEqual(podIn(printed({}, true)).containers[0]?.envFrom, [{ secretRef: { name: "kubecamp-backend" } }]);
  });

  it("lets it act as any user, and of groups as those of the stack alone", () => {
    const impersonated = (raw: Record<string, unknown>) =>
      rightsOf(printed(raw))
        .filter(({ verb }) => verb === "impersonate")
        .map(textOf);
    const common = [
      "impersonate users",
      "impersonate serviceaccounts default",
      "impersonate serviceaccounts kubecamp-ci",
    ];
    assert.deepEqual(impersonated({}), common);
    const raw = {
      members: [{ member: "bob", type: "user", groups: ["class-a"] }],
      staff: [{ group: "tutors", role: "view" }],
    };
    assert.deepEqual(impersonated(raw), [
      ...common,
      "impersonate groups oidc:class-a",
      "impersonate groups oidc:tutors",
    ]);
  });

  it("lets it read and write no Secret", () => {
    const ofSecrets = rightsOf(printed({ objects: [{ copy: "Secret platform/pull" }] }))
      .filter(({ resource }) => resource === "secrets")
      .map(textOf);
    assert.deepEqual(ofSecrets, []);
  });

  it("lets it make routes where the stack's are, and nothing else there", () => {
    const first = (raw: Record<string, unknown>) => {
      const { spec } = manifestOf("ValidatingAdmissionPolicy", name, printed(raw)) as unknown as Policy;
      return /in (\[[^\]]*\])/.exec(spec.validations[0]?.expression ?? "")?.[1];
    };
    interface Policy {
      readonly spec: { readonly validations: readonly { readonly expression: string }[] };
    }
    const beside = { host: "camp.test", controller: "ingress-nginx", place: "controller" };
    assert.equal(first({ route: { ...beside, controller: "traefik", place: "member" } }), "[]");
    assert.equal(first({ route: beside }), '["ingress-nginx/services","ingress-nginx/ingresses"]');
  });
});
