import { readCluster } from "../../../../cluster/read/read.ts";
import { readStack } from "../../../../commands/common/stackFile.ts";
import { type Transfer, transfer } from "../../../../runs/state/transfer.ts";
import { withEnvironment } from "../../support/withEnvironment.ts";
import type { TestStack } from "../stack.ts";

/** Transfers members to their shards, as `kubecamp up` does before and after its runs. */
export async function transferred({ name, folder, sandbox }: TestStack): Promise<Transfer> {
  const notify = () => undefined;
  return await withEnvironment(sandbox.env, async () => {
    const { configuration } = readStack(name, folder);
    const snapshot = await readCluster(configuration.members, configuration.settings, { notify });
    return await transfer(configuration, snapshot, { folder, notify });
  });
}
