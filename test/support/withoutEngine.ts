import assert from "node:assert/strict";
import { runtime } from "@pulumi/pulumi";
import * as state from "@pulumi/pulumi/runtime/state.js";

/** Its types leave this out. */
interface Store {
  readonly getStore: () => { readonly settings: { readonly options: object } };
}

const noResources: runtime.Mocks = {
  newResource: ({ name }) => assert.fail(`${name} is registered`),
  call: ({ token }) => assert.fail(`${token} is called`),
};

/** Has what the program does before it registers anything be done in this process, as in a run of a stack. */
export async function withoutEngine(stack: string, isPreview: boolean, folder: string): Promise<void> {
  await runtime.setMocks(noResources, "kubecamp", stack, isPreview, "organization");
  // Where a `pulumi` that the program starts finds the project; without an engine there is none.
  Object.assign((state as unknown as Store).getStore().settings.options, { rootDirectory: folder });
}
