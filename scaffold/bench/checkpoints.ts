import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { atItsEnd } from "../../runs/checkpoints.ts";
import { withTarget } from "../../runs/targetedRun.ts";
import type { Cost } from "./measure/measured.ts";
import { type CheckpointResults, type Form, forms } from "./results.ts";
import { type Entry, entries, withLimit } from "./scenario.ts";
import { type Project, pulumiArguments, stack } from "./stage/project.ts";
import type { Stage } from "./stage/stage.ts";

/** Makes some hundred resources. */
const newcomers = 12;

const variables: Readonly<Record<Form, Readonly<Record<string, string>>>> = {
  plain: {},
  gzip: { PULUMI_DIY_BACKEND_GZIP: "true" },
  zstd: { PULUMI_DIY_BACKEND_ZSTD: "true" },
  "no checkpoints": atItsEnd,
};

/** Forms for which creations are measured too: the others differ only in the size of each write. */
const withNewcomers: readonly Form[] = ["plain", "no checkpoints"];

/**
 * Measures the cost of writing the state: Pulumi writes all of it before and after each step. The runs target the changed
 * members only, so that little else is measured.
 * @param list the existing members
 */
export async function checkpoints(
  list: readonly Entry[],
  stage: Stage,
  project: Project,
  display: { readonly begins: (title: string) => void; readonly ended: (cost: Cost) => void },
): Promise<CheckpointResults[]> {
  const results: CheckpointResults[] = [];
  const up = async (title: string, form: Form, members: readonly Entry[]) => {
    display.begins(`${title}, state ${form}`);
    const cost = await targetedUp(members, stage, variables[form]);
    display.ended(cost);
    return cost;
  };
  for (const [index, form] of forms.entries()) {
    const joining = withNewcomers.includes(form) ? entries(newcomers, `newcomer-${index}`) : [];
    const everybody = [...withLimit(list, 1000 + 100 * index), ...joining];
    await project.setMembers(everybody);
    const updated = await up("one limit changed", form, everybody.slice(0, 1));
    const stateMiB = await stateSize(stage);
    if (joining.length === 0) {
      results.push({ form, stateMiB, updated });
      continue;
    }
    const before = await project.size();
    const created = await up(`${newcomers} members added`, form, joining);
    results.push({ form, stateMiB, updated, created: { cost: created, resources: (await project.size()) - before } });
    await project.destroyMembers(joining);
  }
  return results;
}

async function targetedUp(members: readonly Entry[], stage: Stage, variables: Readonly<Record<string, string>>) {
  const target = { stack, members: members.map(({ member }) => member) };
  return await withTarget(target, ({ env, target }) =>
    stage.measured(
      "pulumi",
      pulumiArguments("up", "--yes", "--skip-preview", ...target.flatMap((each) => ["--target", each])),
      {
        env: { ...env, ...variables },
      },
    ),
  );
}

/** Size in MiB of the stack's state file, whose name ends in its compression. */
async function stateSize({ sandbox }: Stage): Promise<number> {
  const folder = join(sandbox.pulumiState, ".pulumi", "stacks", "kubecamp");
  const files = (await readdir(folder)).filter((file) => /^bench\.json(\.gz|\.zst)?$/.test(file));
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20;
}
