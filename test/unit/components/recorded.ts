import * as pulumi from "@pulumi/pulumi";
import { withLightSdk } from "./lightSdk.ts";

/** A resource as the program registered it. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  readonly inputs: Record<string, unknown>;
}

/** How a resource hangs together with others, by URN. */
export interface Linked {
  readonly urn: string;
  readonly parent: string;
  /** Sorted: in which order the SDK names them, nobody knows. */
  readonly dependencies: readonly string[];
  /** Dependencies of each property, if any. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly deletedWith: string;
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  /** Places that stay as Pulumi's state has them. */
  readonly ignoreChanges: readonly string[];
}

/** A registration request of the SDK. */
interface RegisterRequest {
  getParent(): string;
  getDependenciesList(): string[];
  getPropertydependenciesMap(): { forEach(each: (value: { getUrnsList(): string[] }, name: string) => void): void };
  getDeletedwith(): string;
  getProtect(): boolean;
  getRetainondelete(): boolean;
  getIgnorechangesList(): string[];
  getAliasesList(): { getSpec(): { getType(): string } | undefined }[];
}

type Registers = (request: RegisterRequest, done: (error: unknown, response: { getUrn(): string }) => void) => unknown;

/** The part of the SDK's mock monitor that it does not declare. */
interface MockMonitor {
  getRegisteredResources(): Map<string, unknown>;
  registerResource: Registers;
  /** Missing in the SDK's own: hooks are registered, and never called. */
  registerResourceHook?: (request: unknown, done: (error: null) => void) => void;
}

/** The access key that Pulumi's mocks give a user of the server of buckets, by the logical name. */
export const keyOf = (name: string) => `key of ${name}`;

/**
 * Runs a piece of a program against Pulumi's mocks, and gives what it registered once that has settled.
 * @see https://www.pulumi.com/docs/iac/guides/testing/unit/
 */
export async function registeredBy(program: () => unknown): Promise<Registered[]> {
  return (await run(program)).registered;
}

/** Runs a piece of a program likewise, as in a preview. */
export async function previewedBy(program: () => unknown): Promise<Registered[]> {
  try {
    return (await run(program, true)).registered;
  } finally {
    // The tests of other files run in the same process next, and mean an up.
    pulumi.runtime.setMockOptions(pulumi.runtime.getMonitor());
  }
}

/** Likewise, the URN of each resource, in alphabetical order. */
export async function urnsOf(program: () => unknown): Promise<string[]> {
  return (await run(program)).urns;
}

/** Likewise, how each resource hangs together with others. */
export async function linkedBy(program: () => unknown): Promise<Linked[]> {
  return (await recordedBy(program)).linked;
}

/** Both in one run: what a piece of a program registers, and how that hangs together. */
export async function recordedBy(program: () => unknown): Promise<{ registered: Registered[]; linked: Linked[] }> {
  const { registered, looked } = await requestedBy(program, linksIn);
  return { registered, linked: looked.sort((a, b) => (a.urn < b.urn ? -1 : 1)) };
}

/** Likewise, the types that each resource is known by as well, by its logical name. */
export async function aliasesBy(program: () => unknown): Promise<Map<string, string[]>> {
  const typesIn = (request: RegisterRequest) =>
    request.getAliasesList().flatMap((each) => each.getSpec()?.getType() ?? []);
  const all = await requestedBy(program, (request, urn) => [urn.split("::").at(-1) ?? "", typesIn(request)] as const);
  return new Map(all.looked);
}

/** Resources that a piece of a program registers, and the SDK's request for each resource in readable form. */
async function requestedBy<T>(
  program: () => unknown,
  look: (request: RegisterRequest, urn: string) => T,
): Promise<{ registered: Registered[]; looked: T[] }> {
  const looked: T[] = [];
  const { registered } = await run(() => {
    const monitor = pulumi.runtime.getMonitor() as unknown as MockMonitor;
    const register = monitor.registerResource.bind(monitor);
    monitor.registerResource = (request, done) =>
      register(request, (error, response) => {
        looked.push(look(request, response.getUrn()));
        done(error, response);
      });
    return program();
  });
  return { registered, looked };
}

function linksIn(request: RegisterRequest, urn: string): Linked {
  const propertyDependencies: Record<string, string[]> = {};
  request.getPropertydependenciesMap().forEach((value, name) => {
    if (value.getUrnsList().length > 0) {
      propertyDependencies[name] = value.getUrnsList();
    }
  });
  return {
    urn,
    parent: request.getParent(),
    dependencies: request.getDependenciesList().sort(),
    propertyDependencies,
    deletedWith: request.getDeletedwith(),
    protect: request.getProtect(),
    retainOnDelete: request.getRetainondelete(),
    ignoreChanges: request.getIgnorechangesList(),
  };
}

async function run(program: () => unknown, isPreview = false): Promise<{ registered: Registered[]; urns: string[] }> {
  const registered: Registered[] = [];
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs, id }) => {
        registered.push({ type, name, inputs });
        // Outputs of the server that the program uses.
        const keys = type.endsWith(":BucketUser") ? { accessKeyId: keyOf(name), secretAccessKey: "secret" } : {};
        return { id: id ?? `${name}-id`, state: { ...inputs, ...keys } };
      },
      call: ({ inputs }) => inputs,
    },
    "kubecamp",
    "dev",
    isPreview,
    "acme",
  );
  const monitor = pulumi.runtime.getMonitor() as unknown as MockMonitor;
  monitor.registerResourceHook = (_, done) => done(null);
  await withLightSdk(async () => {
    await program();
    // Registrations go on after the constructors have returned; this waits until there are none left.
    await pulumi.runtime.disconnect();
  });
  return { registered, urns: [...monitor.getRegisteredResources().keys()].sort() };
}
