import { readCluster } from "../../../../cluster/read/read.ts";
import type { ClusterSnapshot } from "../../../../cluster/read/snapshot.ts";
import { type Transfer, writeStackLabels } from "../../../../cluster/write/stackLabel.ts";
import { readStack } from "../../../../commands/common/stackFile.ts";
import type { Configuration } from "../../../../config/settings.ts";
import { type Transferred, transfer } from "../../../../runs/state/transfer.ts";
import { withEnvironment } from "../../support/withEnvironment.ts";
import type { TestStack } from "../stack.ts";

/** Transfers members to their shards, as `kubecamp up` does before and after its runs. */
export const transferred = (stack: TestStack): Promise<Transferred> =>
  looking(stack, (configuration, snapshot) =>
    transfer(configuration, snapshot, { folder: stack.folder, notify: () => undefined }),
  );

/** Labels a member's namespace as a transfer does, and nothing else. */
export const labelled = (stack: TestStack, move: Transfer): Promise<unknown> =>
  looking(stack, ({ settings }, snapshot) => writeStackLabels([move], settings, snapshot));

async function looking<T>(
  { name, folder, sandbox }: TestStack,
  act: (configuration: Configuration, snapshot: ClusterSnapshot) => Promise<T>,
): Promise<T> {
  return await withEnvironment(sandbox.env, async () => {
    const { configuration } = readStack(name, folder);
    const { members, settings } = configuration;
    return await act(configuration, await readCluster(members, settings, { notify: () => undefined }));
  });
}
