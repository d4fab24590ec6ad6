import assert from "node:assert/strict";
import { kubecamp } from "../commands/kubecamp.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { type Attempt, enforcing, isStrange, withKubelet } from "./kubelet.ts";
import type { Proof } from "./proof.ts";

const ada: Entry = { member: "ada", type: "user" };

/** What a verification says of the promises that have a result, each line once. */
const linesOf = (proofs: readonly Proof[], result: string): string[] => [
  ...new Set(
    proofs
      .filter((proof) => proof.result === result)
      .flatMap(({ promise, details }) =>
        details.map(({ why, tried, came }) => `${promise}: ${why ?? `${tried}: ${came}`}`),
      )
      .map((line) =>
        line.replaceAll(/kubecamp-verify-\w{8}/g, "verify").replaceAll(/[\w.:[\]]+:(8080|80)\b/g, "ADDRESS:$1"),
      ),
  ),
];

describe("kubecamp verify --only network", () => {
  const stack = useStack("network");
  const verify = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await kubecamp(
      ["verify", "--stack", stack.name, "--only", "network", "-o", "json", ...args],
      { cwd: stack.folder, env: { KUBECONFIG: stack.sandbox.kubeconfig } },
    );
    assert.ok(stdout.startsWith("{"), stderr);
    assert.equal(await stack.kubectl("get", "namespaces", "-l", "kubecamp.dev/verify", "-o", "name"), "");
    return { exitCode, proofs: JSON.parse(stdout).proofs as readonly Proof[] };
  };
  const on = (isOpen: (attempt: Attempt) => boolean) => withKubelet(stack.sandbox, isOpen, () => verify());

  before(async () => {
    await stack.configure([ada]);
    await stack.upFine();
  });

  it("finds held what a plugin does that enforces isolation", async () => {
    const { exitCode, proofs } = await on(enforcing);
    assert.equal(exitCode, 0);
    assert.deepEqual(
      proofs.filter(({ result }) => result !== "held").map(({ promise, result }) => `${result}: ${promise}`),
      [
        "unproven: A member's pods don't reach those of the ingress controller",
        "unproven: A member's pods reach no metadata address, where clouds give out credentials",
        "unproven: A member's pods can ask DNS by TCP",
      ],
    );
    assert.equal(proofs.length, 12);
  });

  it("names who reached whom, where a plugin enforces nothing between members", async () => {
    const { exitCode, proofs } = await on(
      (attempt) =>
        enforcing(attempt) || (!isStrange(attempt.from) && attempt.to !== undefined && !isStrange(attempt.to)),
    );
    assert.equal(exitCode, 1);
    const line = (from: number, what: string, to: number, port: number) =>
      `a connection from a pod of 'verify-${from}' (user) to the ${what} of 'verify-${to}' (user) (ADDRESS:${port}): it was accepted`;
    const pods = [line(1, "pod", 2, 8080), line(2, "pod", 1, 8080)];
    assert.deepEqual(linesOf(proofs, "broken"), [
      ...[pods[0], line(1, "Service", 2, 80), pods[1], line(2, "Service", 1, 80)].map(
        (each) => `A member's pods reach no pods and Services of other members: ${each}`,
      ),
      ...pods.map((each) => `Nor do a member's pods reach those of others over IPv6: ${each}`),
    ]);
  });

  it("proves nothing by what answers nobody", async () => {
    const { exitCode, proofs } = await on((attempt) => !isStrange(attempt.from) && enforcing(attempt));
    assert.equal(exitCode, 0);
    const [line = ""] = linesOf(proofs, "unproven").filter((each) => each.includes("API server"));
    assert.match(
      line,
      /: nothing answers at the Service 'kubernetes' \(.*\), not to a pod of 'verify-0' \(no member's\) either, so that closed proves nothing$/,
    );
  });

  it("proves nothing where no container runs", async () => {
    const { exitCode, proofs } = await verify();
    assert.equal(exitCode, 0);
    const lines = linesOf(proofs, "unproven");
    assert.equal(lines.length, 12);
    assert.ok(
      lines.every((line) => line.includes(": the pod 'listener' does not run: no container ran, ")),
      lines.join("\n"),
    );
  });

  it("says which image to allow", async () => {
    await stack.configure([ada], { images: ["docker.io/library/nginx"] });
    const { exitCode, proofs } = await verify("--image", "docker.io/library/busybox:1");
    assert.equal(exitCode, 0);
    assert.deepEqual(
      linesOf(proofs, "unproven").filter((line) => line.includes("API server")),
      [
        "A member's pods don't reach the API server: no pod can try it, as type 'user' may not run the image: " +
          "add 'docker.io/library/busybox:1' to its images, or name one of its own with --image",
      ],
    );
  });
});
