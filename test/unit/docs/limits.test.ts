import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { quantityValue } from "../../../cluster/kinds/quantity.ts";
import { limitFigures } from "../../../config/member/limits.ts";
import { most } from "../../../objects/admission/amountsPolicy.ts";
import { mostJudged } from "../../../objects/admission/fewEnough.ts";
import { mostPodsWithoutQuota } from "../../../objects/namespace.ts";
import { figures } from "../../../objects/resourceQuota.ts";
import { repository } from "../../../sandbox/paths.ts";
import { bob } from "../samples.ts";

const page = "docs/reference/limits.md";

const { default: byDefault } = limitFigures.objects;
/** The quota's number of objects of a kind: by default, and as a share of a large `maxObjects`. */
function ofQuota(kind: string): readonly (number | string)[] {
  const [few, many] = [byDefault, 100 * byDefault].map((objects) =>
    quantityValue(figures({ ...bob.limits, objects })[`count/${kind}`] ?? ""),
  );
  const share = { 40: "two fifths", 20: "a fifth" }[Number(many) / byDefault];
  return [few ?? "none", share ?? "none"];
}

/** Amounts of a row, without what counts more than once, by the beginning of the row. */
const amounts: Readonly<Record<string, readonly (number | string)[]>> = {
  "pods of one object": [mostPodsWithoutQuota],
  "Services, and HorizontalPodAutoscalers": [
    ...new Set([...ofQuota("services"), ...ofQuota("horizontalpodautoscalers.autoscaling")]),
  ],
  "their ports, and metrics": [most.ports, most.metrics],
  CronJobs: ofQuota("cronjobs.batch"),
  Jobs: [],
  "entries of a ConfigMap": [most.entries],
  "a pod's `env`": [most.settings],
  references: [most.references],
  "a pod's mounts": [most.mounts],
  "a pod's terms": [most.terms],
  "a pod's containers": [most.containers],
  "a pod's volumes": [most.volumes, most.files],
  "labels and annotations": [most.texts, most.text],
  "a text that Events may repeat": [most.repeated],
  "what else a policy compares": [mostJudged],
};

describe(page, () => {
  const [, table = ""] =
    /^\| of \| at most \|\n.*\n((?:\|.*\n)+)/m.exec(readFileSync(join(repository, page), "utf8")) ?? [];
  const rows = [...table.matchAll(/^\| (.*) \| (.*?)(?:\. .*)? \|$/gm)].map(([, of = "", atMost = ""]) => ({
    of: Object.keys(amounts).find((beginning) => of.startsWith(beginning)) ?? of,
    is: [...atMost.matchAll(/[\d,]*\d|two fifths|a fifth/g)].map(([text]) =>
      /\d/.test(text) ? Number(text.replaceAll(",", "")) : text,
    ),
  }));

  it("the table of amounts has the policy's, and the quota's", () => {
    assert.deepEqual(
      rows,
      Object.entries(amounts).map(([of, is]) => ({ of, is })),
    );
  });
});
