import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "../../commands/common/problem.ts";
import type { ObjectList } from "../stage/objects.ts";
import type { Stage } from "../stage/stage.ts";
import { chartOf, objectsIn, sameObjects } from "./chart.ts";

const name = "camp";
/** Most bytes in a Secret. https://kubernetes.io/docs/concepts/configuration/secret/#restriction-data-size */
export const mostBytes = 2 ** 20;

/** The same objects as a Helm release. */
export class Release {
  readonly #stage: Pick<Stage, "context" | "run">;

  constructor(stage: Pick<Stage, "context" | "run">) {
    this.#stage = stage;
  }

  /** Helm's arguments to bring up the chart. */
  get upgrade(): string[] {
    return ["upgrade", "--install", name, "chart", "--values", "values.json"];
  }

  /**
   * Writes the chart and values for these objects.
   * @throws Problem if the chart renders different objects
   */
  async set(objects: ObjectList): Promise<void> {
    const { templates, values } = chartOf(objects);
    const { context, run } = this.#stage;
    const chart = join(context.cwd, "chart");
    await mkdir(join(chart, "templates"), { recursive: true });
    const files = {
      "chart/Chart.yaml": JSON.stringify({ apiVersion: "v2", name, version: "0.1.0" }),
      "chart/templates/shared.yaml": templates.shared,
      "chart/templates/members.yaml": templates.members,
      "values.json": JSON.stringify(values),
    };
    for (const [file, text] of Object.entries(files)) {
      await writeFile(join(context.cwd, file), text);
    }
    const rendered = await run("helm", ["template", name, "chart", "--values", "values.json"]);
    if (!sameObjects(objectsIn(rendered), objects.items)) {
      throw new Problem("The chart does not make the objects that kubectl gets.", {
        why: "'helm template' prints others: chartOf does not know how a member's objects may differ from another's.",
        remedy: "Compare values.json with objects.json, and mend bench/helm/chart.ts.",
      });
    }
  }

  /** Bytes in the newest of the release's Secrets. */
  async size(): Promise<number> {
    const args = ["get", "secret", "--selector", `owner=helm,name=${name}`, "--output", "json"];
    const { items } = JSON.parse(await this.#stage.run("kubectl", args)) as {
      items: readonly {
        readonly metadata: { readonly labels: { readonly version: string } };
        readonly data: { readonly release: string };
      }[];
    };
    const newest = [...items].sort((a, b) => Number(b.metadata.labels.version) - Number(a.metadata.labels.version))[0];
    return Buffer.from(newest?.data.release ?? "", "base64").length;
  }
}
