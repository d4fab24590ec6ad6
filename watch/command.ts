import { type Command, InvalidArgumentError, Option } from "commander";
import { onOneCluster, report, wholeNumber } from "../commands/common/run.ts";

const examples = `
Examples:
  $ kubecamp watch --stack prod
  $ kubecamp watch --stack prod --interval 10m --log-level debug | npx pino-pretty
  Get the metrics for Prometheus; also /readyz, /healthz:
  $ curl -s http://127.0.0.1:9464/metrics

Ctrl-C or SIGTERM ends the watch, once Pulumi has finished what it has begun.
With 'board' in the stack's file, it also serves pages about the members.
Exit codes: 0 ended, 1 can't start, 2 wrong usage.
See docs/run/watch.md, for the pages docs/run/board.md`;

const manifestsExamples = `
Examples:
  $ kubecamp watch manifests --stack prod --image ghcr.io/example/kubecamp:1.0.0 | kubectl apply -f -
  $ kubecamp watch manifests --stack prod --image … --monitoring release=prometheus | kubectl diff -f -
  Make only the rights, for Pulumi's operator:
  $ kubecamp watch manifests --stack prod | kubectl apply -f -

Exit codes: 0 printed, 1 the stack has mistakes or does not exist, 2 wrong usage.
With 'board' in the stack's file, the manifests have an Ingress for it.
See docs/run/watch-in-cluster.md`;

export function addWatchCommand(program: Command): void {
  const watch = program
    .command("watch")
    .description("Keep a stack as declared: open and close routes, restore objects, apply edits")
    // Not required for `watch manifests`, which has its own.
    .option("--stack <name>", "the Pulumi stack (required)")
    .enablePositionalOptions()
    .option("--folder <path>", "the project's folder, with Pulumi.yaml", ".")
    .addOption(
      new Option("--interval <duration>", "time between full ups with refresh, such as 90s, 30m or 2h")
        .argParser(duration)
        .default(30 * 60_000, "30m"),
    )
    .option("--address <ip>", "address of /healthz, /readyz and /metrics", "127.0.0.1")
    .option("--port <number>", "their port; 0 for any free one", wholeNumber(0, 65_535), 9464)
    .addOption(
      new Option("--log-level <level>", "least level of log lines")
        .choices(["debug", "info", "warn", "error"])
        .default("info"),
    )
    .addOption(
      new Option("--lease <namespace/name>", "in a cluster: the Lease to hold while it runs").argParser(leaseName),
    )
    .addHelpText("after", examples)
    .action((options) => {
      if (options.stack === undefined) {
        watch.error("error: required option '--stack <name>' not specified", {
          code: "commander.missingMandatoryOptionValue",
        });
      }
      return report(() => onOneCluster(async () => (await import("./watch.ts")).watch(options)));
    });
  addManifestsCommand(watch);
}

function addManifestsCommand(watch: Command): void {
  watch
    .command("manifests")
    .description("Print manifests that run a stack's watch in the cluster, with its rights")
    .requiredOption("--stack <name>", "the Pulumi stack, with its files in the folder")
    .option("--image <reference>", "the watch's image (default: print only the rights)")
    .option("--folder <path>", "the project's folder, with Pulumi.yaml", ".")
    .addOption(
      new Option("--with <features>", "grant further rights: archive, policies, secrets")
        .argParser((text: string) => text.split(",").map((each) => each.trim()))
        .default([], "none"),
    )
    .option("--no-config", "leave out the ConfigMap with the stack's files")
    .addOption(
      new Option("--name <name>", "name of the watch's objects and Lease; another for a second watch on the cluster")
        .argParser(objectName)
        .default("kubecamp-watch"),
    )
    .option("--prometheus <namespace>", "namespace of the Prometheus that may read the metrics", "monitoring")
    .option("--monitoring [label=value]", "add PodMonitor, PrometheusRule and Grafana's dashboard, with this label")
    .option("--docs <url>", "URL of kubecamp's docs/, for links in alerts")
    .option("--dashboard", "print only Grafana's dashboard, as JSON")
    .addHelpText("after", manifestsExamples)
    .action((options) => report(async () => (await import("./manifests/printManifests.ts")).printManifests(options)));
}

function objectName(text: string): string {
  if (!/^[a-z]([-a-z0-9]{0,40}[a-z0-9])?$/.test(text)) {
    throw new InvalidArgumentError("It takes a DNS label of at most 42 characters.");
  }
  return text;
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
const leastInterval = 10_000;
/** A full up at least once a day corrects whatever an informer has missed. */
const mostInterval = 24 * 3_600_000;

function duration(text: string): number {
  const [, count = "", unit = ""] = /^(\d+)([smh])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (units[unit] ?? Number.NaN);
  if (!(milliseconds >= leastInterval && milliseconds <= mostInterval)) {
    throw new InvalidArgumentError("It takes a whole number with s, m or h, from 10s to 24h.");
  }
  return milliseconds;
}

function leaseName(text: string): string {
  if (!/^[-a-z0-9]+\/[-.a-z0-9]+$/.test(text)) {
    throw new InvalidArgumentError("It takes the Lease's namespace and name, such as kubecamp-system/kubecamp-watch.");
  }
  return text;
}
