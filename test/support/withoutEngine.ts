import assert from "node:assert/strict";
import { runtime } from "@pulumi/pulumi";
import * as state from "@pulumi/pulumi/runtime/state.js";

interface Options {
  readonly project: string;
  readonly stack: string;
  readonly parallel: number;
  readonly engineAddr: string;
  readonly monitorAddr: string;
  readonly dryRun: boolean;
  readonly organization: string;
}

/** Its types leave this out. */
interface Store {
  readonly getStore: () => { readonly settings: { readonly options: Options } };
}

const noResources: runtime.Mocks = {
  newResource: ({ name }) => assert.fail(`${name} is registered`),
  call: ({ token }) => assert.fail(`${token} is called`),
};

/**
 * Has what the program does before it registers anything be done in this process, as in a run of a stack.
 * @returns what ends that
 */
export async function withoutEngine(stack: string, isPreview: boolean, folder: string): Promise<() => void> {
  const { options } = (state as unknown as Store).getStore().settings;
  const before = { ...options };
  await runtime.setMocks(noResources, "kubecamp", stack, isPreview, "organization");
  // A `pulumi` that the program starts looks for the project here; without an engine there is none.
  Object.assign(options, { rootDirectory: folder });
  return () => {
    const { project, stack, parallel, engineAddr, monitorAddr, dryRun, organization } = before;
    runtime.resetOptions(project, stack, parallel, engineAddr, monitorAddr, dryRun, organization);
    Object.assign(options, before);
  };
}
