import { createHash, randomBytes } from "node:crypto";
import { withApiServer } from "../../cluster/api/client.ts";
import { type ApiTarget, findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { objectPath } from "../../cluster/kinds/kinds.ts";
import { keyOf } from "../../cluster/kinds/objectName.ts";
import { refuseAnotherCluster } from "../../cluster/write/ownCluster.ts";
import { clusterRoleName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { isOffline } from "../../config/sources/offline.ts";
import { hasSecret } from "../../config/sources/sources.ts";
import { utcDay } from "../../config/values/days.ts";
import { defined } from "../../config/values/maps.ts";
import { version } from "../../config/values/version.ts";
import { countsOf, writeRecord } from "../../verify/record.ts";
import { throwaways } from "../../verify/stage/people.ts";
import type { TrialOptions } from "../../verify/trial.ts";
import { verify } from "../../verify/verify.ts";
import { Interrupted, Problem } from "../common/problem.ts";
import { readStack } from "../common/stackFile.ts";
import { type Verification, verificationJson, verificationMarkdown, verificationText } from "./print.ts";

interface VerifyOptions extends TrialOptions {
  readonly stack: string;
  readonly context?: string;
  readonly strict: boolean;
  readonly record: boolean;
  readonly output: "text" | "markdown" | "json";
}

/** Tries the promises, and prints each with its result. The exit code is 1 if one is broken. */
export async function verifyStack(options: VerifyOptions, signal: AbortSignal): Promise<void> {
  isOffline(process.env, { isPreview: false });
  const { stack, configuration: read, source } = readStack(options.stack, process.cwd());
  // What reads the cluster as a run does finds it by the settings.
  const cluster = { ...read.settings.cluster, ...defined({ context: options.context }) };
  const configuration = { ...read, settings: { ...read.settings, cluster } };
  const { settings } = configuration;
  const target = findApiTarget(cluster.context);
  const kubernetes = await versionOf(target, settings);
  const at = new Date();
  const members = throwaways(configuration, source.raw, {
    today: utcDay(at),
    sign: randomBytes(4).toString("hex"),
  });
  const { done: proofs, left } = await verify({
    configuration,
    isPart: naming.some((key) => hasSecret(source.raw[key])),
    opened: async () => (await import("../members/archive.ts")).openedConfiguration(stack),
    members,
    target,
    signal,
    tell: (text) => console.error(text),
    options,
  });
  if (signal.aborted) {
    if (left !== undefined) {
      console.error(left.message);
    }
    throw new Interrupted();
  }
  const verification: Verification = {
    stack,
    server: target.server,
    kubernetes,
    kubecamp: version,
    at: at.toISOString(),
    settings: createHash("sha256").update(JSON.stringify(source.raw)).digest("hex").slice(0, 12),
    proofs,
  };
  print(verification, options);
  if (options.record) {
    const record = { at, counts: countsOf(proofs), report: verificationText(verification, reportWidth) };
    await withApiServer(target, {}, (api) => writeRecord(api, settings, record));
  }
  if (left !== undefined) {
    throw left;
  }
}

/** Columns of a report that is kept. */
const reportWidth = 120;

/** Settings that say who may do something. */
const naming = ["members", "memberTypes", "staff", "ci", "oidc"];

function print(verification: Verification, { output, strict }: VerifyOptions): void {
  const text = {
    text: () => verificationText(verification, process.stdout.columns),
    markdown: () => verificationMarkdown(verification),
    json: () => JSON.stringify(verificationJson(verification), null, 2),
  };
  console.log(text[output]());
  const failing = strict ? ["broken", "unproven"] : ["broken"];
  if (verification.proofs.some(({ result }) => failing.includes(result))) {
    process.exitCode = 1;
  }
}

/** Of the API server, such as `v1.36.1`, once it is sure that the cluster is the stack's, and that the stack is there. */
const versionOf = (target: ApiTarget, settings: Settings): Promise<string> =>
  withApiServer(
    target,
    {},
    async (api) => {
      await refuseAnotherCluster(api, settings);
      const role = { kind: "ClusterRole", name: clusterRoleName("view", settings), namespace: undefined } as const;
      if ((await api.get({ what: `the ${keyOf(role)}`, path: objectPath(role) })) === undefined) {
        throw new Problem(`Stack '${settings.stack}' has nothing on this cluster that could be tried.`, {
          why: `There is no ${keyOf(role)}, which its first run makes.`,
          remedy: `Run it first: kubecamp up --stack ${settings.stack}. Or choose another context with --context. Nothing was made.`,
        });
      }
      const { body } = await api.ask({ what: "read the version", method: "GET", path: "/version" });
      return String(Object(body).gitVersion);
    },
    "overview",
  );
