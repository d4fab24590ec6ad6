import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { RunError } from "@pulumi/pulumi/errors.js";
import { environmentOf, UnreadConfiguration, UnreadLeavers } from "../../../runs/selectedStack.ts";
import { chosenRun, openStack, withSecond } from "../../../watch/stackRunner.ts";
import { json, kubeSystem, metadataList, restore, useApiServer } from "../cluster/fakeApiServer.ts";
import { cluster } from "../cluster/leaving.ts";
import { known, lookAfter, replanned, stateAfter } from "../plan/decide/afterRun.ts";
import { configuration, labelsOf, route } from "../samples.ts";

/** Opens a stack with an environment, and gives what that is refused with. */
async function refusal(environment: Record<string, string>, folder = import.meta.dirname): Promise<string> {
  const before = process.env;
  process.env = { ...before, ...environment };
  try {
    await openStack({ folder, stack: "prod" });
  } catch (error) {
    assert.ok(RunError.isInstance(error));
    return (error as Error).message;
  } finally {
    process.env = before;
  }
  return "";
}

const ingress = { metadata: { name: "ingress-nginx", uid: "5678", labels: {} } };

describe("the configuration of a stack with a grace", () => {
  const server = useApiServer();
  const { PATH } = process.env;
  let folder: string;
  const settings = {
    // Nobody who has access is served while a policy is missing, as here.
    members: [{ member: "ada", type: "user", suspended: true }],
    route,
    offboarding: { graceDays: 7 },
  };
  const answersWith = async (more: object) => {
    const values = Object.entries({ ...settings, ...more }).map(
      ([key, value]) => [`kubecamp:${key}`, { value: JSON.stringify(value), secret: key === "storage" }] as const,
    );
    await writeFile(join(folder, "config.json"), JSON.stringify(Object.fromEntries(values)));
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-unit-"));
    await writeFile(join(folder, "Pulumi.yaml"), "name: kubecamp\nruntime: nodejs\n");
    await writeFile(join(folder, "index.ts"), "");
    process.env.PATH = `${folder}:${PATH}`;
  });
  /** As a Pulumi whose API reads the engine's events from a file: later ones send them to a server. */
  const pulumiDoes = async (config: string, others = ":", exports = `echo '{ "version": 3, "deployment": {} }'`) => {
    const known = `version*) echo v3.200.0 ;; config*) ${config} ;; *export*) ${exports} ;;`;
    const script = `#!/bin/sh\ncase "$*" in ${known} *) ${others} ;; esac\n`;
    await writeFile(join(folder, "pulumi"), script, { mode: 0o755 });
  };
  beforeEach(() => pulumiDoes(`cat ${folder}/config.json`));
  after(async () => {
    restore("PATH", PATH);
    await rm(folder, { recursive: true });
  });

  it("blames no configuration where the cluster does not say who is in their grace", async () => {
    await answersWith({});
    const runner = await openStack({ folder, stack: "prod" });
    server.answers("namespaces", json({ message: "it is the end of the day" }, 403));
    await assert.rejects(runner.sources.configuration(), UnreadLeavers);
    assert.equal((await runner.sources.configuration()).members.length, 1);
  });

  it("blames no configuration where Pulumi's backend does not answer", async () => {
    await answersWith({});
    const runner = await openStack({ folder, stack: "prod" });
    const why = 'blob (key ".pulumi/meta.yaml"): RequestError: send request failed';
    await pulumiDoes(`echo 'error: ${why}' >&2; exit 255`);
    await assert.rejects(runner.sources.configuration(), (error) => {
      assert.ok(error instanceof UnreadConfiguration);
      assert.equal(error.message, `The configuration of stack 'prod' can't be read: ${why}`);
      return true;
    });
    await pulumiDoes(`cat ${folder}/config.json`);
    assert.equal((await runner.sources.configuration()).members.length, 1);
  });

  it("keeps a configuration in force, and the stack's file, while those in the folder have mistakes", async () => {
    const list = (type: string) =>
      writeFile(join(folder, "members.yaml"), `[{ member: ada, type: ${type}, suspended: true }]\n`);
    const [stackFile, file] = [join(folder, "Pulumi.prod.yaml"), join(folder, "file")];
    await writeFile(stackFile, "encryptionsalt: v1:old\n");
    await answersWith({ members: undefined, membersFile: "members.yaml" });
    await pulumiDoes(`cat ${folder}/config.json`, `cat "\${PULUMI_OPTION_CONFIG_FILE:-${stackFile}}" > ${file}`);
    await list("user");
    const runner = await openStack({ folder, stack: "prod" });
    const read = await runner.sources.configuration();
    const ran = async () => {
      server.answers("namespaces", ...Array(2).fill(json(metadataList(kubeSystem, ingress))));
      const { outcome } = await runner.up({ target: ["ada"], refresh: false }, new AbortController().signal);
      return [outcome, await readFile(file, "utf8")];
    };
    await list("gest-user");
    await assert.rejects(runner.sources.configuration(), /"gest-user" is no member type/);
    await writeFile(stackFile, "encryptionsalt: [\n");
    assert.deepEqual(await runner.sources.kept(), read);
    assert.deepEqual(await ran(), ["succeeded", "encryptionsalt: v1:old\n"]);
    await list("guest-user");
    await writeFile(stackFile, "encryptionsalt: v1:new\n");
    await runner.sources.configuration();
    assert.deepEqual(await ran(), ["succeeded", "encryptionsalt: v1:new\n"]);
    assert.deepEqual((await runner.sources.kept()).members[0]?.type.name, "guest-user");
    await answersWith({ cluster: { context: "prdo" } });
    await assert.rejects(runner.sources.configuration(), /'prdo' is no context of the kubeconfig/);
  });

  it("stops reading a configuration at the watch's stop, also while the stack is opened", async () => {
    await answersWith({});
    const stop = new AbortController();
    const options = { folder, stack: "prod", stop: stop.signal };
    const runner = await openStack(options);
    await pulumiDoes("exec sleep 600");
    const [read, opened] = [runner.sources.configuration(), openStack(options)];
    stop.abort();
    await assert.rejects(read, UnreadConfiguration);
    await assert.rejects(opened, /Stack 'prod' in .* can't be opened: The operation was aborted/);
  });

  it("stops reading configuration and state for an up that is cancelled", async () => {
    await answersWith({});
    const stop = new AbortController();
    const runner = await openStack({ folder, stack: "prod", stop: stop.signal });
    await pulumiDoes(`cat ${folder}/config.json`, ":", `touch ${folder}/exports; exec sleep 600`);
    const up = runner.up({ target: undefined, refresh: true }, stop.signal);
    while (!existsSync(join(folder, "exports"))) {
      await turn();
    }
    stop.abort();
    assert.deepEqual(await up, { outcome: "cancelled", changes: [] });
  });

  it("brings a stack up before anybody is archived, which may take minutes", async () => {
    const archive = { bucket: "kept", secrets: false, volumes: "none" };
    const storage = { endpoint: "https://s3.example.org", accessKeyId: "id", secretAccessKey: "key" };
    await answersWith({ offboarding: { graceDays: 7, archive }, storage });
    const labels = { ...labelsOf("kay"), "kubecamp.dev/stack": "prod" };
    const leaving = { ...labels, "kubecamp.dev/standing": "suspended", "kubecamp.dev/leaves": "2026-01-01" };
    const kay = { metadata: { name: "kay", uid: "u-1", labels: leaving } };
    const annotations = { "kubecamp.dev/entry": JSON.stringify({ member: "kay", type: "user" }) };
    const role = { metadata: { name: "kubecamp-edit", namespace: "kay", labels, annotations } };
    server.answers("namespaces", ...Array(3).fill(json(metadataList(kubeSystem, ingress, kay))));
    server.answers("roles", json(metadataList(role)));
    const ran: boolean[] = [];
    server.answers("kay", (request, response) => {
      ran.push(existsSync(join(folder, "up")));
      json({ message: "not yet" }, 403)(request, response);
    });
    await pulumiDoes(`cat ${folder}/config.json`, `touch ${folder}/up`);
    const runner = await openStack({ folder, stack: "prod" });
    const { outcome, due } = await runner.up({ target: undefined, refresh: true }, new AbortController().signal);
    assert.deepEqual([outcome, due?.failed.map(({ member }) => member), ran], ["succeeded", ["kay"], [true]]);
  });

  it("reports each of Pulumi's events in an up", async () => {
    await answersWith({});
    server.answers("namespaces", ...Array(2).fill(json(metadataList(kubeSystem, ingress))));
    const events = ["preludeEvent", "summaryEvent", "cancelEvent"].map((event) => JSON.stringify({ [event]: {} }));
    const log = 'while [ "$1" != --event-log ]; do shift; done';
    await pulumiDoes(`cat ${folder}/config.json`, `${log}; printf '%s\\n' '${events.join("' '")}' > "$2"`);
    const runner = await openStack({ folder, stack: "prod" });
    let told = 0;
    const up = await runner.up({ target: ["ada"], refresh: false }, new AbortController().signal, () => told++);
    assert.deepEqual([up, told], [{ outcome: "succeeded", changes: [] }, events.length]);
  });
});

describe("a second run of the watch, after archives", () => {
  const due = { archived: ["kay"], failed: [], left: [] };
  const change = { op: "update", type: "Role", name: "ana/role" } as never;
  const first = { outcome: "succeeded", changes: [change], due, leftPolicies: ["a policy"] } as const;

  it("tells what the first run has done together with what the second has", async () => {
    const second = await withSecond(first, async () => ({ outcome: "succeeded", changes: [change] }));
    assert.deepEqual(second, { outcome: "succeeded", changes: [change, change], due });
  });

  it("tells what the first run has done if the second can't be started, and why", async () => {
    const second = await withSecond(first, async () => {
      throw new UnreadLeavers("no answer");
    });
    assert.deepEqual(second, { ...first, outcome: "failed", reason: "no answer" });
  });
});

describe("an up of the watch for some members", () => {
  const two = configuration({ members: ["bob", "eve"].map((name) => ({ member: name, type: "user" })) });
  const look = lookAfter(two, cluster());
  const refreshed = (...members: string[]) => ({ kind: "members", members, removedMembers: [], refresh: true });
  const only = (...members: string[]) => ({ ...refreshed(...members), refresh: false });

  it("leaves out who has left the stack meanwhile, and runs for nobody else in their place", () => {
    assert.deepEqual(chosenRun(look, { target: ["gus", "bob"], refresh: true }), refreshed("bob"));
    assert.deepEqual(chosenRun(look, { target: ["gus"], refresh: false }), { kind: "nothing" });
    assert.deepEqual(chosenRun(look, { target: undefined, refresh: false }), {
      kind: "all",
      refresh: false,
      why: "the watch asks for it",
    });
  });

  it("runs for all where a run was interrupted in objects of others, which Pulumi would forget", () => {
    const begun = (type: string) => {
      const { deployment } = stateAfter(two, cluster());
      const { urn } = deployment.resources.find((one) => one.urn.endsWith("::eve/quota")) ?? assert.fail();
      const resources = deployment.resources.filter((one) => one.urn !== urn || type !== "creating");
      return {
        ...look,
        state: known({ deployment: { resources, pending_operations: [{ type, resource: { urn } }] } }),
      };
    };
    const all = { kind: "all", refresh: true, why: "a run was interrupted in objects of others" };
    for (const type of ["updating", "deleting"]) {
      assert.deepEqual(chosenRun(begun(type), { target: ["bob"], refresh: false }), all);
    }
    assert.deepEqual(chosenRun(begun("updating"), { target: ["eve"], refresh: false }), refreshed("eve"));
    assert.deepEqual(chosenRun(begun("creating"), { target: ["bob"], refresh: false }), only("bob"));
  });

  it("looks at the cluster first where Pulumi's state is wrong about these members", () => {
    const managedObjects = new Map(look.snapshot.managedObjects);
    assert.ok(managedObjects.delete("NetworkPolicy bob/isolation"));
    const lost = replanned(look, { managedObjects });
    assert.deepEqual(chosenRun(lost, { target: ["bob"], refresh: false }), refreshed("bob"));
    assert.deepEqual(chosenRun(lost, { target: ["eve"], refresh: false }), only("eve"));
    assert.deepEqual(chosenRun(lost, { target: undefined, refresh: false }), {
      kind: "all",
      refresh: true,
      why: "the watch asks for it",
    });
  });
});

describe("a stack", () => {
  it("opens no stack where the environment would narrow every run", async () => {
    assert.equal(
      await refusal({ PULUMI_OPTION_TARGET: "**::bob", PULUMI_OPTION_TARGET_DEPENDENTS: "true" }),
      "PULUMI_OPTION_TARGET and PULUMI_OPTION_TARGET_DEPENDENTS in the environment would narrow every run of stack 'prod'; " +
        "unset it and start again",
    );
  });

  it("opens no stack without Pulumi", async () => {
    assert.equal(
      await refusal({ PATH: import.meta.dirname }),
      `Stack 'prod' in ${import.meta.dirname} can't be opened: there is no 'pulumi' on the PATH; install it (https://www.pulumi.com/docs/install/), or put its folder there`,
    );
  });

  it("opens no stack whose file is no YAML, and tells each line", async () => {
    const folder = await mkdtemp(join(tmpdir(), "kubecamp-unit-"));
    const script = '#!/bin/sh\nif [ "$1" = version ]; then echo v3.259.0; else exit 255; fi\n';
    await writeFile(join(folder, "pulumi"), script, { mode: 0o755 });
    await writeFile(join(folder, "Pulumi.prod.yaml"), "config:\n  kubecamp:members: [bob\n");
    assert.equal(
      await refusal({ PATH: folder }, folder),
      `The configuration of stack 'prod' has a mistake; nothing was changed.
  Pulumi.prod.yaml:3: is no YAML: Flow sequence in block collection must be sufficiently indented and end with a ]
Correct Pulumi.prod.yaml, then run again.`,
    );
    await rm(folder, { recursive: true });
  });
});

describe("what Pulumi gets beside the watch's environment", () => {
  it("gives Pulumi parallel diffs, unless the environment has none", () => {
    assert.deepEqual(environmentOf({}), { PULUMI_PARALLEL_DIFF: "true" });
    const set = { PULUMI_PARALLEL_DIFF: "false" };
    assert.deepEqual(environmentOf(set), set);
  });
});
