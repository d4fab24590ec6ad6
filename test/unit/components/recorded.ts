import * as pulumi from "@pulumi/pulumi";

/** A resource as the program registered it. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  readonly inputs: Record<string, unknown>;
}

/** The part of the SDK's mock monitor that it does not declare. */
interface MockMonitor {
  getRegisteredResources(): Map<string, unknown>;
}

/**
 * Runs a piece of a program against Pulumi's mocks, and gives what it registered once that has settled.
 * @see https://www.pulumi.com/docs/iac/guides/testing/unit/
 */
export async function registeredBy(program: () => unknown): Promise<Registered[]> {
  return (await run(program)).registered;
}

/** Runs a piece of a program likewise, as in a preview. */
export async function previewedBy(program: () => unknown): Promise<Registered[]> {
  return (await run(program, true)).registered;
}

/** Likewise, the URN of each resource, in alphabetical order. */
export async function urnsOf(program: () => unknown): Promise<string[]> {
  return (await run(program)).urns;
}

async function run(program: () => unknown, isPreview = false): Promise<{ registered: Registered[]; urns: string[] }> {
  const registered: Registered[] = [];
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs, id }) => {
        registered.push({ type, name, inputs });
        return { id: id ?? `${name}-id`, state: inputs };
      },
      call: ({ inputs }) => inputs,
    },
    "kubecamp",
    "dev",
    isPreview,
  );
  const monitor = pulumi.runtime.getMonitor() as unknown as MockMonitor;
  await program();
  // Registrations go on after the constructors have returned; this waits until there are none left.
  await pulumi.runtime.disconnect();
  return { registered, urns: [...monitor.getRegisteredResources().keys()].sort() };
}
