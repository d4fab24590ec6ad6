import { readStack } from "../../commands/common/stackFile.ts";
import { parseConfiguration } from "../../config/configuration.ts";
import { namespaceName, serviceName } from "../../config/names/names.ts";
import { utcDay } from "../../config/values/days.ts";
import { mistakeLines } from "../../config/values/mistakes.ts";
import { memberObjects, sharedObjects } from "../../plan/rows/manifest.ts";
import type { PlannedObject } from "../../plan/rows/row.ts";
import { repository } from "../../sandbox/paths.ts";
import { type Area, line, picture, rectangle, tip, words } from "./svg.ts";

const lineHeight = 18;
const gap = 14;
const size = { width: 830, height: 440 };
const side = { x: gap, width: 196 };
const cluster = { x: 248, y: gap, width: size.width - 248 - gap, height: size.height - 2 * gap };
const home = { x: cluster.x + gap, y: 48, width: 258, height: 204 };
const controllers = { x: home.x + home.width + gap, y: home.y, width: 268, height: 72 };
const whole = { x: home.x, y: home.y + home.height + gap, width: cluster.width - 2 * gap, height: 144 };
/** Where a run stands between what it reads and what it writes. */
const run = { ...side, y: 168, height: 90 };

/** What a run makes for a member of the sandbox's stack, were it on Traefik, and where: the objects are those of the plan's rows. */
export function placesPicture(): string {
  const { raw } = readStack("dev", repository).source;
  const parsed = parseConfiguration(
    "dev",
    { ...raw, route: { host: "apps.example.org", controller: "traefik" } },
    utcDay(),
  );
  if ("mistakes" in parsed) {
    throw new Error(mistakeLines(parsed.mistakes).join("\n"));
  }
  const { members, settings } = parsed.configuration;
  const member = members.find(({ name }) => name === "bob");
  if (member === undefined) {
    throw new Error("the sandbox's stack has no bob");
  }
  const { base, route } = memberObjects({ member, settings });
  const inNamespace = (namespace: string | undefined) =>
    linesOf([...base, ...route].filter((object) => object.namespace === namespace));
  const namespace = namespaceName(member);
  const boxes: readonly Box[] = [
    {
      at: { ...side, y: 48, height: 72 },
      name: "Your project, in git",
      lines: ["Pulumi.dev.yaml: settings", "the list of members"],
    },
    {
      at: run,
      name: "A run",
      lines: ["kubecamp up, pulumi up,", "kubecamp watch: on your", "machine, in CI, or in a Pod"],
    },
    {
      at: { ...side, y: 306, height: 72 },
      name: "Pulumi's state",
      lines: ["in a bucket, in a folder,", "or in Pulumi Cloud"],
    },
    {
      at: home,
      name: `Namespace ${namespace}`,
      lines: [...inNamespace(namespace), `made by ${member.name}:`, `Service ${serviceName(member)}, Deployments, …`],
    },
    {
      at: controllers,
      name: `Namespace ${settings.route.namespace}`,
      lines: ["the ingress controller", ...inNamespace(settings.route.namespace)],
    },
    {
      at: whole,
      name: "The whole cluster",
      lines: [...inNamespace(undefined), "for all members:", ...linesOf(sharedObjects(settings))],
    },
  ];
  return picture(
    {
      title: "What is where: the project, Pulumi's state, and the objects on the cluster",
      description: boxes.map(({ name, lines }) => `${name}: ${lines.join(", ").replaceAll(":,", ":")}.`).join(" "),
      ...size,
    },
    [
      rectangle("frame", cluster),
      words({ x: cluster.x + gap, y: 36 }, "Your cluster", "name"),
      ...boxes.flatMap(drawn),
      ...arrows(),
      words({ x: controllers.x + gap, y: serviceY - 12 }, "requests, while the Service", "small"),
      words({ x: controllers.x + gap, y: serviceY + 12 }, "is there and fit", "small"),
    ],
  );
}

const serviceY = home.y + home.height - 12;

interface Box {
  readonly at: Area;
  readonly name: string;
  readonly lines: readonly string[];
}

const drawn = ({ at, name, lines }: Box): string[] => [
  rectangle("box", at),
  words({ x: at.x + gap, y: at.y + 22 }, name, "name"),
  ...lines.map((text, row) =>
    words({ x: at.x + gap, y: at.y + 42 + row * lineHeight }, text, text.endsWith(":") ? "small" : "plain"),
  ),
];

/** From the project to the run, from there to state and cluster, and from the ingress controller to the member's Service. */
function arrows(): string[] {
  const x = side.x + side.width / 2;
  const middle = run.y + run.height / 2;
  const corner = { x: controllers.x + controllers.width - 40, y: serviceY - 4 };
  const downTo = (from: number, to: number) => [line({ x, y: from }, { x, y: to }), tip({ x, y: to }, "down")];
  return [
    ...downTo(120, run.y),
    ...downTo(run.y + run.height, 306),
    line({ x: side.x + side.width, y: middle }, { x: cluster.x, y: middle }),
    tip({ x: cluster.x, y: middle }, "right"),
    line({ x: corner.x, y: controllers.y + controllers.height }, corner, { x: home.x + home.width, y: corner.y }),
    tip({ x: home.x + home.width, y: corner.y }, "left"),
  ];
}

/** A line for each kind, with its names, or the first of many. */
const linesOf = (objects: readonly PlannedObject[]): string[] =>
  [...Map.groupBy(objects, ({ kind }) => kind)].map(([kind, each]) => {
    const [first = "", ...more] = each.map(({ name }) => name);
    return `${kind} ${first}${more.length === 0 ? "" : ` and ${more.length} more`}`;
  });
