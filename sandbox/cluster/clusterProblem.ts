import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "../../commands/common/problem.ts";
import { jsonIn } from "../../config/values/maps.ts";
import { PortTaken } from "../portTaken.ts";

const again = "Run 'kubecamp sandbox down', then 'kubecamp sandbox up'.";

/** A component gave up waiting for the API server, which had no trouble of its own. */
export class SlowStart extends Problem {}

/** Explains why a cluster does not come up, from kwokctl's output and the last lines of the components' logs. */
export async function clusterProblem(
  cluster: { readonly name: string; readonly folder: string },
  what: string,
  output: { readonly stderr?: string; readonly stdout?: string } = {},
): Promise<Problem> {
  const texts = await logsIn(join(cluster.folder, "clusters", cluster.name, "logs"));
  const logs = lastLines(texts);
  const taken = [...logs.values()].join("\n").match(/listen tcp\S* (\S+): bind: address already in use/);
  if (taken !== null) {
    return new PortTaken("A port that the cluster needs is taken.", {
      why: `Another program listens on ${taken[1]}, which this sandbox's cluster has had since it was made.`,
      remedy: `End that program, or let the cluster be made anew on free ports: ${again}`,
    });
  }
  const gaveUp = texts.get("kube-controller-manager")?.includes("failed to wait for apiserver being healthy");
  const isTroubled = ["kube-apiserver", "etcd"].some((component) =>
    /^F\d{4}|"command failed"|"fatal"|"panic"|^Error:/m.test(texts.get(component) ?? ""),
  );
  if (gaveUp && !isTroubled) {
    return new SlowStart("The cluster's API server is slow to start.", {
      why: "kube-controller-manager waits ten seconds for it, and then ends. The machine is busy.",
      remedy: `End other programs. ${again}`,
    });
  }
  const words = [
    ...(output.stderr ?? "").split("\n").map(messageOf).slice(-3),
    ...[...logs].map(([component, line]) => `${component}: ${line}`),
  ];
  return new Problem(what, {
    why: words.filter((line) => line !== "").join("\n") || "Neither kwokctl nor a component's log says why.",
    remedy: `${again} The full logs are in ${join(cluster.folder, "clusters", cluster.name, "logs")}`,
  });
}

/** By component. */
async function logsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = await readdir(folder).catch(() => []);
  const entries = files.map(async (file) => {
    return [file.replace(/\.log$/, ""), await readFile(join(folder, file), "utf8")] as const;
  });
  return new Map(await Promise.all(entries));
}

/** The last line of each log that tells of an error. */
function lastLines(logs: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const entries = [...logs].map(([component, text]) => {
    const telling = text
      .split("\n")
      .filter((line) => /^[EF]\d{4}|"level":"(error|fatal|panic)"|error:|Error:|bind:/i.test(line));
    return [component, telling.at(-1) ?? ""] as const;
  });
  return new Map(entries.filter(([, line]) => line !== ""));
}

/** kwokctl writes JSON lines if its output is no terminal. */
function messageOf(line: string): string {
  const entry = jsonIn(line);
  const { msg, err } = Object(entry) as { msg?: string; err?: string };
  return entry === undefined ? line : [msg, err].filter(Boolean).join(": ");
}
